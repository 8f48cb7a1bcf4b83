// Puzzles as people share them: a link of puzz.link, penpa-edit, f-puzzles or SudokuPad is opened as a model, and a model
// becomes a link.

import { tell } from "./dialogs.ts";
import { announce, button, fill, h } from "./dom.ts";
import { openCopy } from "./files.ts";
import { failed, Slot } from "./jobs.ts";
import { notice } from "./notices.ts";
import { showPane } from "./panes.ts";
import { question } from "./picture.ts";
import { inline } from "./prose.ts";
import { faulty } from "./store.ts";
import type { Fault } from "./types.ts";

const LINK = "link="; // what a fragment with a puzzle's link begins with
const reading = new Slot();
const writing = new Slot();

/** Ask for a link, and open the puzzle in it as a model. */
export function pasteLink(): void {
  const field = h("textarea", { rows: 4, id: "pasted-link", spellcheck: "false", autocomplete: "off", placeholder: "https://puzz.link/p?slither/5/5/cbcbcddad" });
  const kind = h("input", { type: "text", id: "pasted-kind", spellcheck: "false", autocomplete: "off", placeholder: "slither" });
  const said = h("p", { class: "bad", role: "alert", id: "pasted-fault" });
  const form = h(
    "form", {},
    h("label", { for: "pasted-link" }, "A link of puzz.link, penpa-edit, f-puzzles, SudokuPad or SudokuWiki, or the text of a file of pzpr"),
    field,
    h("label", { for: "pasted-kind" }, "The kind of puzzle, for a link that does not say it"),
    kind,
    said,
    h("div", { class: "row end" }, h("button", { type: "submit", class: "primary" }, "Open")),
  ); // prettier-ignore
  const dialog = tell("Paste link", [form]);
  dialog.addEventListener("close", () => reading.drop());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return field.focus();
    fill(said);
    void reading.ask({ kind: "from link", name: "link", text, data: {}, options: { as: kind.value.trim() } }, {
      model: (found) => {
        dialog.close();
        void openCopy(found.name, found.text).then((opened) => opened && showPane("model", true));
      },
      fault: ({ faults }) => fill(said, ...told(faults)),
      end: (end) => end.status !== "done" && !said.childNodes.length && fill(said, end.words),
    }); // prettier-ignore
  });
  field.focus();
}

/** The link of a puzzle that a fragment holds; null if it holds none. */
export function linkOf(fragment: string): string | null {
  const held = fragment.replace(/^#/, "");
  if (!held.startsWith(LINK)) return null;
  try {
    return decodeURIComponent(held.slice(LINK.length));
  } catch {
    return held.slice(LINK.length);
  }
}

/** Open the puzzle in a link. */
export function openLink(text: string): Promise<void> {
  return reading.ask({ kind: "from link", name: "link", text, data: {}, options: { as: "" } }, {
    model: (found) => void openCopy(found.name, found.text),
    fault: ({ faults }) => notice(faults.map(({ message, help }) => (help ? `${message}: ${help}` : message)).join(" "), "bad"),
    end: ({ status, words }) => failed({ status, words }) && notice(words, "bad"),
  }); // prettier-ignore
}

function told(faults: Fault[]): (Node | string)[] {
  return faults.flatMap(({ message, help }) => inline(help ? `${message}: ${help}` : message));
}

/** The model with its data as an address of puzz.link, where it is a puzzle that one can hold. */
export function copyLink(): void {
  if (faulty()) return announce("The model has errors.");
  let said = false;
  void writing.ask(question("as link"), {
    link: ({ link }) => show(link),
    fault: ({ faults }) => {
      said = true;
      notice(faults.map(({ message, help }) => (help ? `${message}: ${help}` : message)).join(" "), "bad");
    },
    end: (end) => end.status !== "done" && !said && notice(end.words, "bad"),
  });
}

function show(link: string): void {
  const field = h("textarea", { rows: 4, readonly: true, id: "copied-link", "aria-label": "Link", spellcheck: "false" });
  field.value = link;
  const copy = button("Copy the link", () => {
    field.select();
    navigator.clipboard.writeText(link).then(
      () => notice("The link is copied."),
      () => document.execCommand("copy") && notice("The link is copied."), // without the right to the clipboard
    );
  }, { class: "primary" }); // prettier-ignore
  tell("Copy link", [h("p", {}, "This address opens the puzzle on puzz.link."), field, h("div", { class: "row end" }, copy)]);
  field.focus();
  field.select();
}
