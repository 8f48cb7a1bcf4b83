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

let clash: { choices: string[]; of: string } = { choices: [], of: "" };

/** Mark the cells of givens that contradict each other, in every picture of the model as it is now. */
export function markClash(choices: string[]): void {
  clash = { choices, of: meaning() };
  void showClash();
}

onPicture(() => void showClash());

async function showClash(): Promise<void> {
  const { choices, of } = clash;
  const wanted = choices.length && of === meaning() ? new Set(await placesOf(choices)) : new Set<string>();
  for (const cell of stageElement().querySelectorAll<SVGElement>("[data-at]")) cell.classList.toggle("clash", wanted.has(cell.dataset.at!));
  readAgain();
}
