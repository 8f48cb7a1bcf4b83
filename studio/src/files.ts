// Files of the folder that the studio was started for: open, save, save under another name.

import { format } from "./assist.ts";
import { askFor, confirm, tell } from "./dialogs.ts";
import { announce, button, download, h } from "./dom.ts";
import { keep } from "./drafts.ts";
import { editor } from "./editor.ts";
import { notice } from "./notices.ts";
import { showPane } from "./panes.ts";
import { settings } from "./settings.ts";
import type { Data } from "./types.ts";
import { model, open, plainName, unsaved } from "./store.ts";
import { transport } from "./transport.ts";
import { get, put, Refused } from "./wire.ts";

const NEW = `title "A new model"

cells  r, c in 1..4
choose queen(r, c)

exactly one queen per r          "row {r}"
exactly one queen per c          "column {c}"
at most one queen per r + c
at most one queen per r - c
`;

/** Whether the text may be replaced: asked only if it would be lost, where the browser keeps nothing. */
async function mayLeave(): Promise<boolean> {
  if (!unsaved()) return true;
  if (!keep()) return confirm("Unsaved changes", `${model.name} has changes that are not saved. Open the other model all the same?`, "Open it");
  notice(`${model.name} is kept among the drafts.`);
  return true;
}

/** Open a text that is no file of the folder. */
export async function openCopy(name: string, text: string, data: Data = {}, foreign = false): Promise<boolean> {
  if (!(await mayLeave())) return false;
  open({ name, text, data, foreign });
  announce(`${name} is open.`);
  return true;
}

export async function newModel(): Promise<void> {
  if (await openCopy("model.cover", NEW)) showPane("model", true);
}

/** Choose among the models of the folder. */
export async function openFile(): Promise<void> {
  if (!transport.folder) return fromDisk();
  try {
    const { folder, files, more } = await get<{ folder: string; files: string[]; more: boolean }>("/api/files");
    const models = files.filter((path) => path.endsWith(".cover"));
    const dialog = tell("Open", [
      h("p", { class: "faint" }, folder),
      models.length
        ? h("ul", { class: "file-list" }, ...models.map((path) => h("li", {}, button(path, () => (dialog.close(), void read(path))))))
        : h("p", {}, "There are no models in this folder yet. The gallery has some to start from."),
      ...(more ? [h("p", { class: "faint" }, "There are more files than are shown.")] : []),
    ]);
  } catch (fault) {
    notice((fault as Error).message, "bad");
  }
}

/** Without a folder: a file that the user picks, of which a copy is opened. */
function fromDisk(): void {
  const input = h("input", { type: "file", accept: ".cover,.txt" });
  input.addEventListener("change", () => void input.files?.[0]?.text().then((text) => openCopy(input.files![0]!.name, text)));
  input.click();
}

async function read(path: string): Promise<void> {
  if (!(await mayLeave())) return;
  try {
    const { text, seen } = await get<{ text: string; seen: string }>(`/api/file?path=${encodeURIComponent(path)}`);
    open({ name: path, path, text, seen });
    showPane("model", true);
  } catch (fault) {
    notice((fault as Error).message, "bad");
  }
}

/** Save into the file that the model came from, laid out first if the user wants that. */
export async function save(): Promise<void> {
  if (!model.path || !transport.folder) return saveAs();
  if (settings.read("format") !== "no") await format(editor());
  await write(model.path, model.seen);
}

export async function saveAs(): Promise<void> {
  if (!transport.folder) return toDisk();
  const name = await askFor("Save", "Name of the file in the folder", model.path ?? model.name);
  if (!name) return;
  const path = /\.[a-z]+$/i.test(name) ? name : `${name}.cover`;
  if (settings.read("format") !== "no") await format(editor());
  await write(path, path === model.path ? model.seen : null);
}

/** Without a folder: the browser keeps the file among its downloads. */
async function toDisk(): Promise<void> {
  if (settings.read("format") !== "no") await format(editor());
  download(`${plainName()}.cover`, new Blob([model.text], { type: "text/plain" }));
  model.kept = model.text;
  saved();
}

async function write(path: string, seen: string | null): Promise<void> {
  const text = model.text;
  try {
    const reply = await put<{ seen: string }>("/api/file", { path, text, seen });
    Object.assign(model, { path, name: path, seen: reply.seen, kept: text });
    notice(`${path} is saved.`);
    saved();
  } catch (fault) {
    if (!(fault instanceof Refused) || fault.status !== 409) return notice((fault as Error).message, "bad");
    const yes = await confirm("Not saved", `${path} is not what this page has read: ${fault.message}. Replace it?`, "Replace it");
    if (!yes) return;
    const { seen: now } = await get<{ seen: string }>(`/api/file?path=${encodeURIComponent(path)}`);
    await write(path, now);
  }
}

let saved: () => void = () => undefined;

export function onSaved(listener: () => void): void {
  saved = listener;
}
