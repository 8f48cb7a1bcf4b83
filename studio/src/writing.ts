// Clues written into the picture itself: a click goes to a place, keys write there, into the layer that is drawn in.

import { boardPoint, cellsOf, overlay } from "./board_points.ts";
import { s } from "./canvas.ts";
import { button } from "./dom.ts";
import { clickInPicture, cursorNow, keyInPicture } from "./draw.ts";
import { onLayers, refresh, whileWanted } from "./drawing.ts";
import { isShown, onPaneChange } from "./panes.ts";
import { addMode, addTool, onPicture, stageElement } from "./picture.ts";
import { model } from "./store.ts";
import type { Place } from "./types.ts";

let chosen: boolean | null = null; // by the button; null: while the pane Draw is shown

function writing(): boolean {
  return (chosen ?? isShown("draw")) && !isShown("hand");
}

export function makeWriting(): void {
  const press = button("Write", () => {
    chosen = !writing();
    void refresh();
    show();
    if (chosen) stageElement().focus();
  }, { id: "write-picture", title: "Write clues into the picture: click a place and type" }); // prettier-ignore
  addTool(press);
  const show = () => {
    press.setAttribute("aria-pressed", String(writing()));
    press.disabled = isShown("hand");
    stageElement().dataset.mode = writing() ? "write" : "";
    ring();
  };
  onPaneChange(() => {
    if (isShown("draw") && chosen === false) chosen = null;
    show();
  });
  whileWanted(writing);
  onLayers(ring);
  onPicture(ring);
  addMode({
    wanted: writing,
    click(event) {
      stageElement().focus({ preventScroll: true });
      const cell = (event.target as Element).closest<SVGElement>("[data-at]");
      const lattice = model.geometry?.lattice ?? "square";
      const number = model.geometry?.picture ?? 0;
      if (lattice !== "square") {
        if (cell) clickInPicture(0, 0, cell.dataset.at!.split(":")[1]!.split(",").map(Number) as Place);
      } else {
        const point = boardPoint(event, number);
        if (point) clickInPicture(point.x, point.y, null);
      }
      ring();
    },
    key(event) {
      const took = keyInPicture(event);
      ring();
      return took;
    },
  });
  show();
}

/** A ring round the place that keys write to. */
function ring(): void {
  const now = writing() ? cursorNow() : null;
  for (const cell of stageElement().querySelectorAll(".place.written")) cell.classList.remove("written", "lit");
  const lattice = model.geometry?.lattice ?? "square";
  if (now && lattice !== "square") return void cellsOf(model.geometry?.picture ?? 0).get(now.spot.at.join(","))?.classList.add("written", "lit");
  const small = now !== null && (now.spot.to !== undefined || now.spot.x % 1 !== 0 || now.spot.y % 1 !== 0);
  overlay("ring", now ? [now.spot] : [], (x, y, side) => {
    const half = side * (small ? 0.24 : 0.44);
    return s("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: side * 0.1, class: "ring" });
  }, model.geometry?.picture ?? 0); // prettier-ignore
}
