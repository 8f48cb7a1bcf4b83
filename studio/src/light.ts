// Cells of the picture that are lit, because the pointer is on a choice somewhere else.

import { onPicture, stageElement } from "./picture.ts";
import { readAgain } from "./reader.ts";
import { placesOf } from "./places.ts";
import { meaning } from "./store.ts";

let turn = 0;

/** Light the cells that the choices stand in; those of the last call go out. */
export async function light(choices: string[]): Promise<void> {
  const mine = ++turn;
  const wanted = choices.length ? new Set(await placesOf(choices)) : new Set<string>();
  if (mine !== turn) return; // the pointer is elsewhere by now
  for (const cell of stageElement().querySelectorAll<SVGElement>("[data-at]")) cell.classList.toggle("lit", wanted.has(cell.dataset.at!));
}

const RULES = 4; // that are named

/** Rules that contradict each other, in words. */
export function cannotBeKept(rules: string[]): string {
  return `${rules.slice(0, RULES).join(", ")}${rules.length > RULES ? ", …" : ""}: this can’t be kept.`;
}

type Look = "clash" | "differ";
const marked = new Map<Look, { choices: string[]; of: string }>();

/** Mark the cells of choices in every picture of the model as it is now: givens that contradict each other, or what differs
 *  between two answers. */
export function mark(look: Look, choices: string[]): void {
  marked.set(look, { choices, of: meaning() });
  void showMarks();
}

export const markClash = (choices: string[]): void => mark("clash", choices);

onPicture(() => void showMarks());

async function showMarks(): Promise<void> {
  for (const [look, { choices, of }] of marked) {
    const wanted = choices.length && of === meaning() ? new Set(await placesOf(choices)) : new Set<string>();
    for (const cell of stageElement().querySelectorAll<SVGElement>("[data-at]")) cell.classList.toggle(look, wanted.has(cell.dataset.at!));
  }
  readAgain();
}
