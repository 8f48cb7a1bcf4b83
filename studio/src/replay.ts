// The steps of a search, and how the matrix stands after any of them.

import type { States } from "./matrixview.ts";

export interface Step {
  what: string; // choose, take, undo, answer, dead, …
  depth: number;
  item?: number | null;
  option?: number | null;
  covers?: number[];
  removes?: number[];
  words: string;
  svg?: string;
  text?: string;
}

/** How the matrix stands after the steps up to `last`, that one included. */
export function standing(steps: Step[], last: number): States {
  const taken: Step[] = [];
  let chosen: number | null = null;
  for (const step of steps.slice(0, last + 1)) {
    if (step.what === "take") taken.push(step);
    if (step.what === "undo") taken.pop();
    chosen = step.what === "choose" ? (step.item ?? null) : step.what === "take" || step.what === "undo" ? null : chosen;
  }
  const states: States = { items: new Map(), options: new Map() };
  for (const step of taken) {
    for (const item of step.covers ?? []) states.items.set(item, "covered");
    for (const option of step.removes ?? []) states.options.set(option, "removed");
  }
  for (const step of taken) if (step.option != null) states.options.set(step.option, "taken");
  if (chosen !== null) states.items.set(chosen, "chosen");
  return states;
}

/** The first step behind `from` that passes; the last step if none does. */
export function find(steps: Step[], from: number, passes: (step: Step) => boolean): number {
  const found = steps.findIndex((step, at) => at > from && passes(step));
  return found < 0 ? steps.length - 1 : found;
}
