// Clues written into the picture itself: a click goes to a place, keys write there, into the layer that is drawn in.

import { boardPoint, cellsOf, overlay } from "./board_points.ts";
import { s } from "./canvas.ts";
import { announce, button } from "./dom.ts";
import { clickInPicture, cursorNow, drawnLayer, keyInPicture, leaveHidden, strokeNow, strokesIn } from "./draw.ts";
import { draw, drawing, layersKnown, onLayers, redoDrawing, refresh, undoDrawing, whileWanted } from "./drawing.ts";
import { isShown, onPaneChange } from "./panes.ts";
import { addMode, addTool, onPicture, stageElement } from "./picture.ts";
import { allPlaces, choicesAt } from "./places.ts";
import { readPlace } from "./reader.ts";
import { model, on } from "./store.ts";
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
  on("geometry", ring);
  on("analysis", ring);
  on("remarks", ring);
  addMode({
    wanted: writing,
    click(point, at) {
      stageElement().focus({ preventScroll: true });
      const early = !drawing.layers; // a press that no stroke began with
      void layersKnown().then(() => {
        if (!at) return;
        if (!hasLayers()) void givenAt(at);
        else if (early || !isSquare() || point.detail === 0) clickInPicture(at.split(":")[1]!.split(",").map(Number) as Place);
        ring();
      });
    },
    key(event) {
      if (!hasLayers()) return givenKey(event);
      const took = keyInPicture(event);
      ring();
      return took;
    },
  });
  strokesIn(stageElement(), (event) => boardPoint(event, model.geometry?.picture ?? 0), () => writing() && hasLayers() && isSquare(), ring);
  show();
}

function isSquare(): boolean {
  return (model.geometry?.lattice ?? "square") === "square";
}

// --- boards that no layer writes on: a choice is given by a statement of its own ---

let place = ""; // of the picture, where a choice is given

function hasLayers(): boolean {
  return Boolean(drawing.layers?.layers.some((layer) => layer.kind !== "picture" || layer.role === "signs"));
}

/** Where few choices can stand, a click gives the first of them, or takes it back; where many can, a sign says which. */
async function givenAt(at: string): Promise<void> {
  place = at;
  ring();
  const choices = await choicesAt(at);
  if (choices.length === 1) await draw([{ do: "given", choice: choices[0]! }]);
  else announce(choices.length ? "Type what is given here." : "Nothing can be given here.");
}

async function givenSign(sign: string): Promise<void> {
  const { at, texts } = await allPlaces();
  const choices = at.get(place) ?? [];
  const choice = choices.find((one) => (texts.get(one) ?? "").toLowerCase() === sign.toLowerCase());
  if (choice) await draw([{ do: "given", choice, instead: choices.filter((one) => one !== choice) }]);
}

const WAYS: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function givenKey(event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === "z") return (event.shiftKey ? redoDrawing() : undoDrawing(), true);
  if (command || event.altKey) return false;
  const way = WAYS[event.key];
  if (way) {
    const [number, spot] = place.split(":");
    const [row, col] = (spot ?? "1,0").split(",").map(Number) as [number, number];
    const next = `${number || "0"}:${row + way[0]},${col + way[1]}`;
    if (stageElement().querySelector(`[data-at="${next}"]`)) place = next;
    if (!readPlace(place)) announce(`Place ${place.replace(/^\d+:/, "")}`);
    ring();
    return true;
  }
  if (place && (event.key === " " || event.key === "Enter")) return (void givenAt(place), true);
  if (!place || [...event.key].length !== 1) return false;
  void givenSign(event.key);
  return true;
}

/** A ring round the place that keys write to, and the stroke that goes on. */
function ring(): void {
  const { dataset } = document.documentElement;
  const layer = drawnLayer();
  const lies = layer && (layer.kind === "picture" ? model.geometry?.layers[layer.name] : model.geometry?.board);
  const wrong = [...(model.analysis?.faults ?? []), ...model.remarks].some(({ severity }) => severity === "error");
  if (lies && !wrong && writing() && hasLayers()) dataset.drawn = "yes"; // the picture shows what is drawn, and takes it
  else delete dataset.drawn;
  leaveHidden();
  const { spots, isLine } = strokeNow();
  for (const cell of stageElement().querySelectorAll<SVGElement>(".place.given-here")) cell.classList.remove("given-here", "lit");
  if (writing() && !hasLayers() && place) stageElement().querySelector(`[data-at="${place}"]`)?.classList.add("given-here", "lit");
  const now = writing() ? cursorNow() : null;
  for (const cell of stageElement().querySelectorAll(".place.written")) cell.classList.remove("written", "lit");
  const lattice = model.geometry?.lattice ?? "square";
  if (now && lattice !== "square") return void cellsOf(model.geometry?.picture ?? 0).get(now.spot.at.join(","))?.classList.add("written", "lit");
  const small = now !== null && (now.spot.to !== undefined || now.spot.x % 1 !== 0 || now.spot.y % 1 !== 0);
  overlay("ring", now ? [now.spot] : [], (x, y, side) => {
    const half = side * (small ? 0.24 : 0.44);
    return s("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: side * 0.1, class: "ring" });
  }, model.geometry?.picture ?? 0); // prettier-ignore
  overlay("stroke", writing() ? spots : [], (x, y, side) => s("circle", { cx: x, cy: y, r: side * (isLine ? 0.2 : 0.3), class: "stroke" }), model.geometry?.picture ?? 0);
}
