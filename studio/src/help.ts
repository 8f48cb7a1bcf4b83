// The keys, and the help that lists them.

import { tell } from "./dialogs.ts";
import { h } from "./dom.ts";
import { openFile, save, saveAs } from "./files.ts";
import { newPuzzle } from "./fresh.ts";
import { check } from "./hand.ts";
import { isShown, nextRegion, type PaneName, showPane } from "./panes.ts";
import { ask, stop } from "./answers.ts";

/** The panes by the digit that leads to them. */
const DIGITS: PaneName[] = ["draw", "model", "data", "gallery", "picture", "answers", "candidates", "why", "dance", "matrix"];

const LETTERS: Record<string, PaneName> = { h: "hand", l: "spare" }; // with Alt

const KEYS: [string, [string, string][]][] = [
  [
    "Everywhere",
    [
      ["F6, Shift+F6", "to the next part of the page, or back"],
      ["Ctrl+0 … Ctrl+9", "to a pane: Draw, Model, Data, Gallery, Picture, Answers, Candidates, Why, Step by step, Matrix (Alt where the browser keeps Ctrl)"],
      ["Ctrl+Enter", "find the first answer"],
      ["Ctrl+Shift+Enter", "count the answers"],
      ["Ctrl+.", "stop what is being asked"],
      ["Ctrl+S, Ctrl+Shift+S", "save, save under another name"],
      ["Ctrl+O", "open a file"],
      ["Alt+H, Alt+L", "to the panes By hand and Could be left out"],
      ["Alt+N", "a new puzzle or model"],
      ["?", "this help (outside of the editor; F1 everywhere)"],
    ],
  ],
  [
    "Editor",
    [
      ["Ctrl+Space", "complete"],
      ["F8, Shift+F8", "to the next error, to the last"],
      ["F2", "give a name another name everywhere"],
      ["F12", "to where a name is defined"],
      ["Shift+Alt+F", "lay the text out"],
      ["Ctrl+/", "make a comment of the line, or a line of the comment"],
      ["Ctrl+] and Ctrl+[", "indent, and back"],
      ["Ctrl+F", "find and replace"],
      ["Escape, then Tab", "leave the editor (Tab always does, unless a completion is open)"],
    ],
  ],
  [
    "Board",
    [
      ["Arrow keys", "move; Home, End, Page Up and Page Down go to the edges"],
      ["Any sign", "write it; digits in quick succession make one number"],
      ["Backspace, Space", "empty the cell"],
      ["Ctrl+V", "paste a whole puzzle, or a value into the cell"],
      ["Ctrl+Z", "take the last change back"],
    ],
  ],
  [
    "Drawing",
    [
      ["Arrow keys", "move; with Shift, regions and cells are painted on"],
      ["Any sign", "write it; digits in quick succession make one number"],
      ["Space", "what a click does: on and off, a border, the beginning of a line"],
      ["Enter", "a longer clue; the end of a line that is being drawn"],
      ["Backspace", "take away what stands there"],
      ["Ctrl+Z, Ctrl+Y", "take the last change of the text back, and do it again"],
    ],
  ],
  [
    "By hand",
    [
      ["Arrow keys", "move in the picture (F6 leads to it); with Shift, select"],
      ["Any sign", "pencil it in; x and then a sign crosses that out"],
      ["Shift and a digit", "note it in the corner"],
      ["Space", "turn: taken, crossed out, open; of many choices, go to their list"],
      ["Backspace", "take back what is pencilled in here"],
      ["Ctrl+Enter", "check"],
      ["Ctrl+Z, Ctrl+Y", "undo, and do it again"],
    ],
  ],
  [
    "Step by step",
    [
      ["← and →", "one step back, one step on"],
      ["Home and End", "to the beginning, to the end"],
    ],
  ],
];

export function help(version: string): void {
  tell("Keys", [
    ...KEYS.map(([title, keys]) =>
      h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...keys.flatMap(([key, does]) => [h("dt", {}, key), h("dd", {}, does)]))),
    ),
    h("p", { class: "faint" }, `covr ${version}. Everything here runs on this machine.`),
  ], "wide"); // prettier-ignore
}

export function startKeys(version: string): void {
  const hear = (event: KeyboardEvent) => {
    if (document.querySelector("dialog[open]")) return;
    const run = action(event, version);
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  window.addEventListener("keydown", hear, true); // before the editor, which has other uses for some of these
}

function action(event: KeyboardEvent, version: string): (() => void) | null {
  const command = event.ctrlKey || event.metaKey;
  const typing = (event.target as Element).closest("input, textarea, select, .cm-editor, .board, .canvas");
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  if (event.key === "F6") return () => nextRegion(event.shiftKey ? -1 : 1);
  if (event.key === "F1" || (event.key === "?" && !typing)) return () => help(version);
  if (digit && (command || event.altKey) && !event.shiftKey) return () => showPane(DIGITS[Number(digit)]!, true);
  const lettered = event.altKey && LETTERS[event.key.toLowerCase()];
  if (lettered) return () => showPane(lettered, true);
  if (command && event.key === "Enter" && !event.shiftKey && isShown("hand")) return check;
  if (event.altKey && event.key.toLowerCase() === "n") return () => void newPuzzle();
  if (!command) return null;
  if (event.key === "Enter") return () => (showPane("answers"), event.shiftKey ? ask("count", "Counting…") : ask("solve", "Looking for an answer…"));
  if (event.key === ".") return stop;
  if (event.key.toLowerCase() === "s") return () => void (event.shiftKey ? saveAs() : save());
  if (event.key.toLowerCase() === "o") return () => void openFile();
  return null;
}
