// A model as a link: text and data are compressed into the part of the address behind #, which browsers never send.
//
// They are packed by deflate, beside a dictionary of what models often say, so that the link of a small model is short.
// Such a link begins with `1.`; links of covr 0.2 have no dictionary and hold JSON. docs/_site/studio.py makes them, too.

import { deflateSync } from "fflate";
import { tell } from "./dialogs.ts";
import words from "./dictionary.txt";
import { button, download, h } from "./dom.ts";
import { notice } from "./notices.ts";
import { model } from "./store.ts";
import { transport } from "./transport.ts";
import type { Data } from "./types.ts";

const KEY = "model="; // what the fragment begins with
const PACKED = "1."; // what then follows: which dictionary it is; links are for ever, so a change of it needs another number
const LONG = 8000; // characters beyond which some programs cut links
const LARGEST = 2_000_000; // characters of a text that is unpacked: a link can hold what grows a thousandfold
const END = "\0"; // between name, text and data

export interface Shared {
  name: string;
  text: string;
  data: Data;
}

const dictionary = new TextEncoder().encode(words);

/** The address of a model. query: what the page is to show of it, such as `?solve`. */
export function link(shared: Shared, query = ""): string {
  return `${location.origin}${location.pathname}${query}#${KEY}${PACKED}${packed(shared)}`;
}

function packed({ name, text, data }: Shared): string {
  const parts = [name.replace(/\.cover$/, ""), text, ...(Object.keys(data).length ? [JSON.stringify(data)] : [])];
  return encoded(deflateSync(new TextEncoder().encode(parts.join(END)), { level: 9, dictionary }));
}

/** What a fragment holds; null if it holds no model. */
export async function unlink(fragment: string): Promise<Shared | null> {
  const packed = fragment.replace(/^#/, "");
  if (!packed.startsWith(KEY)) return null;
  const body = packed.slice(KEY.length);
  try {
    const found = body.startsWith(PACKED) ? parted(await unpack(body.slice(PACKED.length), dictionary)) : JSON.parse(await unpack(body));
    const { text, data = {}, name = "shared.cover" } = found as Partial<Shared>;
    const good = typeof text === "string" && typeof name === "string" && Object.values(data).every((value) => typeof value === "string");
    return good ? { name, text, data } : null;
  } catch {
    return null;
  }
}

function parted(text: string): Partial<Shared> {
  const [name, body, data] = text.split(END);
  return { name: `${name || "model"}.cover`, text: body, data: data ? JSON.parse(data) : {} };
}

function encoded(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpack(packed: string, before = new Uint8Array()): Promise<string> {
  const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  // The dictionary comes first, as a block that is stored as it is, so that the rest may repeat what it says.
  const { length } = before;
  const head = length ? [0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255] : [];
  const reader = new Blob([new Uint8Array(head), before, bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: BlobPart[] = [];
  let size = -length;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > LARGEST) throw new Error("too large");
    parts.push(next.value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(parts).slice(length).text();
}

export function share(): void {
  const { name, text, data } = model;
  const address = link({ name, text, data });
  const board = h("input", { type: "checkbox", id: "share-solve" });
  const field = h("textarea", { rows: 4, readonly: true, id: "share-link", "aria-label": "Link", spellcheck: "false" });
  field.value = address;
  const copy = button("Copy the link", () => {
    field.select();
    navigator.clipboard.writeText(field.value).then(
      () => notice("The link is copied."),
      () => document.execCommand("copy") && notice("The link is copied."), // without the right to the clipboard
    );
  }, { class: "primary" }); // prettier-ignore
  const file = name.split("/").pop()!;
  const [before, behind] = address.split("#");
  const frame = h("input", { type: "checkbox", id: "share-frame" });
  const show = () => {
    const query = [frame.checked && "embed", board.checked && "solve"].filter(Boolean).join("&");
    const whole = `${before}${query && "?"}${query}#${behind}`;
    field.value = frame.checked ? `<iframe src="${whole}" width="100%" height="600" title="covr"></iframe>` : whole;
  };
  for (const each of [frame, board]) each.addEventListener("change", show);
  const where = transport.folder ? "Whoever opens it in a studio of their own sees the model." : "Whoever opens it sees the model.";
  tell("Share", [
    h("p", {}, `This link holds the whole model and its data, behind the sign #: that part never leaves the browser. ${where}`),
    field,
    h("p", { class: "check" }, board, h("label", { for: "share-solve" }, "the board alone, to be solved")),
    ...(transport.folder ? [] : [h("p", { class: "check" }, frame, h("label", { for: "share-frame" }, "as a frame for another page"))]),
    ...(address.length > LONG ? [h("p", { class: "faint" }, `It has ${address.length} characters; some programs cut such links. The file is safer.`)] : []),
    h("div", { class: "row end" }, button("Save as a file", () => download(file, new Blob([text], { type: "text/plain" }))), copy),
  ]); // prettier-ignore
  field.focus();
  field.select();
}
