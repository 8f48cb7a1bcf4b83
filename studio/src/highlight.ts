// Colours of words: what the server's analysis says they are, as classes, which the style sheet colours.

import { type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
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
  create: () => Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setTokens)) shown = effect.value;
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Colour the text. The tokens are in order and do not overlap. */
export function colouring(tokens: Token[], length: number): StateEffect<DecorationSet> {
  const ranges: Range<Decoration>[] = [];
  for (const [start, size, kind] of tokens)
    if (size > 0 && start + size <= length) ranges.push(mark(kind).range(start, start + size));
  return setTokens.of(RangeSet.of(ranges));
}
