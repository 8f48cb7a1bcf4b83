// Cells of the picture that are lit, because the pointer is on a choice somewhere else.

import { stageElement } from "./picture.ts";

/** Light the cells that a choice stands in; those of the last call go out. */
export function light(at: string | string[] | null | undefined): void {
  const stage = stageElement();
  for (const cell of stage.querySelectorAll(".lit")) cell.classList.remove("lit");
  const wanted = new Set(typeof at === "string" ? [at] : (at ?? []));
  if (!wanted.size) return;
  for (const cell of stage.querySelectorAll<SVGElement>("[data-at]")) if (wanted.has(cell.dataset.at!)) cell.classList.add("lit");
}
