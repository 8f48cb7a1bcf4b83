// Cells of the picture that are lit, because the pointer is on a choice somewhere else.

import { stageElement } from "./picture.ts";
import { placesOf } from "./places.ts";

let turn = 0;

/** Light the cells that the choices stand in; those of the last call go out. */
export async function light(choices: string[]): Promise<void> {
  const mine = ++turn;
  const wanted = choices.length ? new Set(await placesOf(choices)) : new Set<string>();
  if (mine !== turn) return; // the pointer is elsewhere by now
  for (const cell of stageElement().querySelectorAll<SVGElement>("[data-at]")) cell.classList.toggle("lit", wanted.has(cell.dataset.at!));
}
