// The steps of a search, and how the matrix stands after any of them.

import type { States } from "./matrixview.ts";
import type { Step } from "./types.ts";

const DONE = new Set(["take", "leave"]); // what a step back undoes
const FIRST = new Set(["given", "follows"]); // done before anything is tried, and never undone

/** How the matrix stands after the steps up to `last`, that one included. */
export function standing(steps: Step[], last: number): States {
  const first: Step[] = [];
  const done: Step[] = [];
  for (const step of steps.slice(0, last + 1)) {
    if (FIRST.has(step.kind)) first.push(step);
    if (DONE.has(step.kind)) done.push(step);
    if (step.kind === "back") done.pop();
  }
  const states: States = { items: new Map(), options: new Map() };
  for (const step of [...first, ...done]) {
    for (const item of step.covers) states.items.set(item, "covered");
    for (const option of step.removes) states.options.set(option, "removed");
    if (step.kind === "leave" && step.option !== null) states.options.set(step.option, "removed");
  }
  for (const step of [...first, ...done]) {
    for (const option of step.takes) states.options.set(option, "taken");
    if (step.option !== null && step.kind !== "leave") states.options.set(step.option, "taken");
  }
  const now = steps[last];
  if (now && now.item !== null && ["choose", "fail", "broken"].includes(now.kind)) states.items.set(now.item, "chosen");
  return states;
}

/** The first step behind `from` that passes; the last step if none does. */
export function find(steps: Step[], from: number, passes: (step: Step) => boolean): number {
  const found = steps.findIndex((step, at) => at > from && passes(step));
  return found < 0 ? steps.length - 1 : found;
}
