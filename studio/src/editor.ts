// The editor: CodeMirror with the project's own colours, faults, completion and help.

import {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, completionStatus,
  selectedCompletion,
} from "@codemirror/autocomplete"; // prettier-ignore
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, toggleComment } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { lintGutter, lintKeymap, previousDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState, Prec } from "@codemirror/state";
import {
  drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip,
  keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view"; // prettier-ignore
import { complete, format, goToDefinition, hover, rename } from "./assist.ts";
import { showFaults, showPending } from "./faults.ts";
import { colouring, colours } from "./highlight.ts";
import { allFaults, model, on, setText } from "./store.ts";
import { typing } from "./typing.ts";

const HOVER = 350; // milliseconds the pointer rests before a word is explained

let view: EditorView;
const EVENTS = 10_000; // that can be undone: a board of 30 x 45 has 1350 squares, and each may be drawn a few times
const history_ = new Compartment(); // made anew when another model is opened, so that undo does not bring the old one back

const keys = [
  { key: "Tab", run: acceptCompletion }, // otherwise Tab leaves the editor, as keyboards need it to
  { key: "Ctrl-]", run: indentMore },
  { key: "Ctrl-[", run: indentLess },
  { key: "Ctrl-/", run: toggleComment },
  { key: "F2", run: (target: EditorView) => (void rename(target), true) },
  { key: "F12", run: (target: EditorView) => (void goToDefinition(target), true) },
  { key: "Shift-F8", run: previousDiagnostic },
  { key: "Shift-Alt-f", run: (target: EditorView) => (void format(target), true) },
];

/** Enter behind a word that is already what is offered begins a line, as it does where nothing is offered. */
function passCompleteWord(target: EditorView): boolean {
  const offered = completionStatus(target.state) === "active" ? selectedCompletion(target.state) : null;
  const { head } = target.state.selection.main;
  if (offered && offered.apply === offered.label && target.state.sliceDoc(head - offered.label.length, head) === offered.label)
    closeCompletion(target);
  return false; // the key goes on to whatever is bound to it
}

/** Folds are those of the last analysis, as lines. */
const folding = foldService.of((state, from) => {
  const line = state.doc.lineAt(from);
  const fold = model.analysis?.folds.find(({ start }) => start >= line.from && start <= line.to);
  return fold && fold.end > line.to && fold.end <= state.doc.length ? { from: line.to, to: fold.end } : null;
});

export function makeEditor(parent: HTMLElement): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";
  const state = EditorState.create({
    doc: model.text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history_.of(history({ minDepth: EVENTS })),
      drawSelection(),
      dropCursor(),
      rectangularSelection(),
      EditorState.allowMultipleSelections.of(true),
      EditorState.languageData.of(() => [{ commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } }]),
      bracketMatching(),
      closeBrackets(),
      Prec.highest(keymap.of([{ key: "Enter", run: passCompleteWord }])),
      autocompletion({ override: [complete], activateOnTypingDelay: 60 }),
      hoverTooltip(hover, { hoverTime: HOVER }),
      highlightSelectionMatches(),
      search({ top: true }),
      folding,
      colours,
      typing,
      keymap.of([
        ...keys, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap,
        ...defaultKeymap,
      ]), // prettier-ignore
      EditorView.contentAttributes.of({ "aria-label": "Model", tabindex: "0", "data-main": "", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) setText(update.state.doc.toString());
      }),
    ],
  });
  view = new EditorView({ state, parent });
  on("model", replaceAll);
  on("analysis", () => {
    const { analysis } = model;
    if (!analysis || view.state.doc.toString() !== model.text) return;
    if (!analysis.more) view.dispatch({ effects: colouring(analysis.tokens, view.state.doc.length) });
    showFaults(view, allFaults());
  });
  on("pending", showPending);
  on("remarks", () => {
    if (model.analysis && view.state.doc.toString() === model.text) showFaults(view, allFaults());
  });
  return view;
}

function replaceAll(): void {
  view.dispatch({ effects: history_.reconfigure([]) });
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: model.text },
    selection: EditorSelection.cursor(0),
    effects: history_.reconfigure(history({ minDepth: EVENTS })),
  });
}

/** Put the cursor at a place of the text and show it. */
export function goTo(start: number, end = start): void {
  const length = view.state.doc.length;
  view.dispatch({
    selection: EditorSelection.range(Math.min(start, length), Math.min(end, length)),
    effects: EditorView.scrollIntoView(Math.min(start, length), { y: "center" }),
  });
  view.focus();
}

export function editor(): EditorView {
  return view;
}
