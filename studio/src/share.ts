// A model as a link: text and data are compressed into the part of the address behind #, which browsers never send.

import { tell } from "./dialogs.ts";
import { button, download, h } from "./dom.ts";
import { notice } from "./notices.ts";
import { model } from "./store.ts";
import type { Data } from "./types.ts";

const KEY = "model="; // what the fragment begins with
const LONG = 8000; // characters beyond which some programs cut links
const LARGEST = 2_000_000; // characters of a text that is unpacked: a link can hold what grows a thousandfold

export interface Shared {
  name: string;
  text: string;
  data: Data;
}

export async function link(shared: Shared): Promise<string> {
  const packed = await pack(JSON.stringify(shared));
  return `${location.origin}${location.pathname}#${KEY}${packed}`;
}

/** What a fragment holds; null if it holds no model. */
export async function unlink(fragment: string): Promise<Shared | null> {
  const packed = fragment.replace(/^#/, "");
  if (!packed.startsWith(KEY)) return null;
  try {
    const found = JSON.parse(await unpack(packed.slice(KEY.length))) as Partial<Shared>;
    const { text, data = {}, name = "shared.cover" } = found;
    const good = typeof text === "string" && typeof name === "string" && Object.values(data).every((value) => typeof value === "string");
    return good ? { name, text, data } : null;
  } catch {
    return null;
  }
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: BlobPart[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > LARGEST) throw new Error("too large");
    parts.push(next.value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(parts).text();
}

export async function share(): Promise<void> {
  const { name, text, data } = model;
  const address = await link({ name, text, data });
  const field = h("textarea", { rows: 4, readonly: true, id: "share-link", "aria-label": "Link", spellcheck: "false" });
  field.value = address;
  const copy = button("Copy the link", () => {
    field.select();
    navigator.clipboard.writeText(address).then(
      () => notice("The link is copied."),
      () => document.execCommand("copy") && notice("The link is copied."), // without the right to the clipboard
    );
  }, { class: "primary" }); // prettier-ignore
  const file = name.split("/").pop()!;
  tell("Share", [
    h("p", {}, "This link holds the whole model and its data, behind the sign #: that part never leaves the browser. Whoever opens it in a studio of their own sees the model."),
    field,
    ...(address.length > LONG ? [h("p", { class: "faint" }, `It has ${address.length} characters; some programs cut such links. The file is safer.`)] : []),
    h("div", { class: "row end" }, button("Save as a file", () => download(file, new Blob([text], { type: "text/plain" }))), copy),
  ]); // prettier-ignore
  field.focus();
  field.select();
}
