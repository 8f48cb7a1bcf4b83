// The page, put together.

import "./style/page.css";
import { startAnalysis } from "./analyse.ts";
import { makeAnswers } from "./answers.ts";
import { makeCandidates } from "./candidates.ts";
import { banner, connect } from "./connection.ts";
import { makeDance } from "./dance.ts";
import { makeData } from "./data.ts";
import { makeDraw } from "./draw.ts";
import { startDrawing } from "./drawing.ts";
import { h } from "./dom.ts";
import { confirm } from "./dialogs.ts";
import { findDraft, keepDrafts } from "./drafts.ts";
import { makeEditor } from "./editor.ts";
import { faultList } from "./faults.ts";
import { openCopy } from "./files.ts";
import { makeGallery } from "./gallery.ts";
import { makeHand } from "./hand.ts";
import { makeHeader } from "./header.ts";
import { startKeys } from "./help.ts";
import { makeMatrix } from "./matrix.ts";
import { linkOf, openLink } from "./links.ts";
import { notice } from "./notices.ts";
import { focusPane, makeLayout, panel } from "./panes.ts";
import { makePicture } from "./picture.ts";
import { startReader } from "./reader.ts";
import { showLook } from "./settings.ts";
import { unlink } from "./share.ts";
import { makeSpare } from "./spare.ts";
import { allowFiles, askAgain, model, on, open } from "./store.ts";
import type { Start } from "./types.ts";
import { makeWhy } from "./why.ts";
import { makeWriting } from "./writing.ts";
import { transport } from "./transport.ts";
import { asked, EMBEDDED, embed, firstView, makeViewBar, showView } from "./views.ts";
import { get, setForeign, setLargest } from "./wire.ts";

async function begin(): Promise<void> {
  showLook();
  const start = await get<Start>("/api/start");
  setLargest(start.limits.body);
  setForeign(() => model.foreign);
  const skip = h("a", { class: "skip", href: "#regions", onclick: (event: Event) => (event.preventDefault(), focusPane("model")) }, "To the editor");
  document.body.append(skip, makeHeader(start.version), banner, makeViewBar(), makeLayout());
  startAnalysis();
  const holder = h("div", { class: "editor" });
  panel("model").append(holder);
  panel("model").parentElement!.append(faultList); // beneath the data, too, where values are at fault
  makeEditor(holder);
  startDrawing();
  makeDraw();
  makeData();
  makeGallery();
  makePicture(start.themes);
  makeWriting();
  startReader();
  makeAnswers();
  makeHand();
  makeCandidates();
  makeWhy();
  makeDance();
  makeMatrix();
  makeSpare();
  startKeys(start.version);
  connect(askAgain);
  if (EMBEDDED) embed();
  askToRead();
  const first = firstView(); // before the address is tidied up
  await openFirst(start);
  if (first) showView(first);
  drops();
  addEventListener("hashchange", () => void fromLink());
  document.documentElement.dataset.ready = "yes";
}

/** A shared link comes first, then what stood here before, then what the server opens with. */
async function openFirst(start: Start): Promise<void> {
  const shared = await unlink(location.hash);
  const linked = linkOf(location.hash);
  const before = EMBEDDED ? null : await findDraft(start, shared);
  const edited = before && before.held.text !== before.held.kept;
  const path = before ? before.held.path : start.model;
  // The hash with which the file may be saved comes with the file itself.
  const file = path && !edited && !shared ? await get<{ text: string; seen: string }>(`/api/file?path=${encodeURIComponent(path)}`).catch(() => null) : null;
  if (shared) open({ ...before?.held, ...shared, foreign: true });
  else if (file) open({ ...before?.held, name: path!, path, ...file, kept: file.text, foreign: false });
  else open(before?.held ?? { name: start.name, text: start.text });
  if (!EMBEDDED) keepDrafts(before);
  if (linked) void openLink(linked);
  else if (location.hash && !shared) notice("This link holds no model: it may have been cut.", "bad");
  else if (location.hash && !EMBEDDED) history.replaceState(history.state, "", location.pathname + asked()); // a reload keeps the edits instead of the link
}

async function fromLink(): Promise<void> {
  const shared = await unlink(location.hash);
  const linked = linkOf(location.hash);
  if (shared) await openCopy(shared.name, shared.text, shared.data, true);
  if (linked) void openLink(linked);
}

/** A model that came by a link may name files of the folder. Whether it reads them is asked when it does, once. */
function askToRead(): void {
  let asked: string | null = null;
  on("model", () => (asked = null));
  on("analysis", () => {
    const { text, data, foreign, name } = model;
    if (!foreign || asked === name || !transport.folder) return;
    if (!/\b(file|table)\s*\(|\buse\s+"(?!std\/)/.test(text) && !Object.values(data).some((value) => value.startsWith("@"))) return;
    asked = name;
    const words = `${name} came by a link, and wants to read files of this folder. What it reads, it shows in this page only.`;
    void confirm("Files of this folder", words, "Let it read them").then((yes) => yes && allowFiles());
  });
}

/** A model that is dropped on the editor is opened. */
function drops(): void {
  const place = panel("model");
  place.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  place.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    if (file.size > 2_000_000) return notice(`${file.name} is larger than the studio takes.`, "bad");
    void file.text().then((text) => openCopy(file.name, text));
  }, true); // before the editor, which would insert the text
  // A file that misses its field must not take the place of the page.
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("drop", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
}

/** Put the page together. */
export function start(): Promise<void> {
  return begin().catch((fault: Error) => {
    document.body.append(h("p", { class: "empty", role: "alert" }, `The studio could not start: ${fault.message}.`));
  });
}

