// Colours of words: what the server's analysis says they are, as classes, which the style sheet colours. Until the first
// analysis of a model is here, those words are coloured that look the same wherever they stand.

import { type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { model } from "./store.ts";
import type { Token } from "./types.ts";

const marks = new Map<string, Decoration>();

function mark(kind: string): Decoration {
  let found = marks.get(kind);
  if (!found) marks.set(kind, (found = Decoration.mark({ class: `tok-${kind}` })));
  return found;
}

const setTokens = StateEffect.define<DecorationSet>();

/** Between an edit and its analysis, colours move along with their words. */
export const colours = StateField.define<DecorationSet>({
  create: ({ doc }) => decorated(plainTokens(doc.toString())),
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    if (transaction.docChanged && !model.analysis) shown = decorated(plainTokens(transaction.newDoc.toString()));
    for (const effect of transaction.effects) if (effect.is(setTokens)) shown = effect.value;
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Colour the text. The tokens are in order and do not overlap. */
export function colouring(tokens: Token[], length: number): StateEffect<DecorationSet> {
  return setTokens.of(decorated(tokens.filter(([start, size]) => size > 0 && start + size <= length)));
}

function decorated(tokens: Token[]): DecorationSet {
  const ranges: Range<Decoration>[] = tokens.map(([start, size, kind]) => mark(kind).range(start, start + size));
  return RangeSet.of(ranges);
}

const HEADS = "title|use|param|let|assert|cells|values|choose|exactly|at +(?:least|most)|connected|loop|given|forbid|minimize|maximize|show|print|expect";
const PLAIN = new RegExp(`(?<text>"""[^]*?"""|"(?:[^"\\\\\\n]|\\\\.)*")|(?<comment>#[^\\n]*)|(?<keyword>^ *(?:${HEADS})\\b|\\b(?:where|for|in)\\b)|[\\p{L}_]\\w*|(?<number>\\d+)`, "gmu");

/** What is a text, a comment, a number or a keyword, whatever stands beside it. */
export function plainTokens(text: string): Token[] {
  return [...text.matchAll(PLAIN)].flatMap((found) => {
    const kind = Object.keys(found.groups!).find((name) => found.groups![name] !== undefined);
    const blank = found[0].length - found[0].trimStart().length;
    return kind ? [[found.index + blank, found[0].length - blank, kind] as Token] : [];
  });
}
