// The pane in which a board is drawn: layers, what is written in them, and the keys and the mouse that write it.

import { paint, UNIT } from "./canvas.ts";
import { makeCount } from "./counting.ts";
import { askFor } from "./dialogs.ts";
import { announce, button, fill, h, onFrame } from "./dom.ts";
import { draw, drawing, layerNamed, onLayers, redoDrawing, refresh, type Stroke, undoDrawing, whileWanted } from "./drawing.ts";
import { newPuzzle } from "./fresh.ts";
import { filled, isShown, onPane, panel } from "./panes.ts";
import { stageElement } from "./picture.ts";
import { recordTools } from "./recordtools.ts";
import { beyond, nearest, same, type Spot, spotsOf } from "./spots.ts";
import { Still } from "./still.ts";
import { model, on } from "./store.ts";
import type { Layer, PictureLayer, Place, WallsLayer } from "./types.ts";

const LARGEST = 1.3; // pixels for a unit of the drawing, of which a square has 40
const TYPING = 900; // milliseconds within which digits belong to one number
const NUMBER = /^[0-9]+$/;
const MOST_SIGN = 16; // the largest number that is offered where clues can be larger
const NAMES: Record<string, string> = { cells: "board", regions: "regions", pieces: "pieces", signs: "clues" };
export const SYMMETRIES: Record<string, string> = {
  none: "no symmetry", "half turn": "half turn", "quarter turn": "quarter turn", "left to right": "left and right",
  "top to bottom": "top and bottom", "both ways": "both ways", diagonal: "diagonal",
}; // prettier-ignore

let stage: HTMLElement;
let still: Still;
let chips: HTMLElement;
let palette: HTMLElement;
let below: HTMLElement;
let empty: HTMLElement;
let tools: HTMLElement;
let wanted = ""; // the name of the layer that is drawn in
let armed: Record<string, string | null> = {}; // by layer: what the mouse writes; null: it only moves the cursor
let cursor: Spot | null = null;
let path: Place[] = [];
let chosen: number | null = null; // a record of the layer
let typed = "";
let typedAt = 0;
// a stroke; what it writes is known as soon as everything before it is drawn
let stroking: { spots: Spot[]; value?: string | null; among: Spot[]; frame: string } | null = null;

export function makeDraw(): void {
  const [count, alone] = makeCount();
  chips = h("div", { class: "chips", role: "radiogroup", "aria-label": "What is drawn" });
  palette = h("div", { class: "palette", role: "toolbar", "aria-label": "What to write", id: "draw-palette" });
  stage = h("div", { class: "canvas", id: "canvas", role: "application", tabindex: "0", "data-main": "", "aria-label": "Drawing: arrow keys move, any sign is written" });
  below = h("div", { class: "below" });
  empty = h("div", { class: "empty", id: "draw-empty" });
  const symmetry = h("select", { "aria-label": "Symmetry", id: "symmetry", title: "What is drawn is drawn again at its images" });
  symmetry.append(...Object.entries(SYMMETRIES).map(([name, words]) => h("option", { value: name }, words)));
  symmetry.addEventListener("change", () => (drawing.symmetry = symmetry.value));
  const grow = (label: string, words: string, sides: object) => button(label, () => void resize(sides), { class: "small quiet", "aria-label": words, title: words });
  tools = h(
    "div", { class: "tools" },
    chips, h("span", { class: "grow" }), symmetry,
    h(
      "span", { class: "together" },
      button("Undo", undoDrawing, { id: "draw-undo", title: "Take the last change of the text back (Ctrl+Z)" }),
      button("Redo", redoDrawing, { id: "draw-redo", class: "quiet" }),
    ),
    alone,
  ); // prettier-ignore
  const size = h(
    "div", { class: "row sizes", role: "group", "aria-label": "Rows and columns" },
    h("span", { class: "faint" }, "Rows"), grow("+ top", "A row at the top", { top: 1 }), grow("+ bottom", "A row at the bottom", { bottom: 1 }),
    grow("− top", "Without the top row", { top: -1 }), grow("− bottom", "Without the bottom row", { bottom: -1 }),
    h("span", { class: "faint" }, "Columns"), grow("+ left", "A column at the left", { left: 1 }), grow("+ right", "A column at the right", { right: 1 }),
    grow("− left", "Without the left column", { left: -1 }), grow("− right", "Without the right column", { right: -1 }),
  ); // prettier-ignore
  const adds = h("div", { class: "row adds" }, h("span", { class: "faint" }, "Add"), ...ADDS.map(([words, how]) => button(words, () => void draw([{ do: "add", ...how }]), { class: "small quiet" })));
  below.append(size, adds);
  const where = h("p", { class: "faint in-picture" }, "You draw in the picture: click a place and type, or press a sign here and lead it over the board.");
  panel("draw").append(count, tools, palette, where, stage, recordTools.element, empty, below);
  still = new Still(stage, LARGEST);
  strokesIn(stage, (event) => {
    const point = still.at(event);
    return point && { x: point.x / UNIT, y: point.y / UNIT };
  });
  stage.addEventListener("keydown", key);
  stage.addEventListener("focus", () => {
    if (!cursor) cursor = spots()[0] ?? null;
    show();
  });
  whileWanted(() => isShown("draw"));
  onLayers(showAll);
  on("geometry", showAll);
  on("model", () => {
    still.forget();
    wanted = "";
    armed = {};
    cursor = null;
    chosen = null;
    path = [];
  });
  onPane("draw", () => {
    still.forget();
    void refresh();
    showAll();
  });
  recordTools.cut = (record) => void change({ do: "cut", record }).then(() => (chosen = null));
  recordTools.write = (record, fields) => void change({ do: "fields", record, fields });
  recordTools.put = (fields) => cursor && void change({ do: "spot", at: cursor.at, fields });
}

const ADDS: [string, object][] = [
  ["a grid of clues", { reader: "grid" }], ["an area", { reader: "area" }], ["hexagons", { reader: "area", lattice: "hex" }],
  ["triangles", { reader: "area", lattice: "triangle" }], ["pieces", { reader: "pieces" }],
]; // prettier-ignore

function active(): Layer | null {
  const layers = drawing.layers?.layers ?? [];
  return layers.find(({ name }) => name === wanted) ?? layers.find((layer) => layer.kind === "picture" && layer.role !== "regions") ?? layers[0] ?? null;
}

/** The layer that clues of the picture are written in: the one that is drawn in. */
export function drawnLayer(): Layer | null {
  return active();
}

function spots(): Spot[] {
  const layer = active();
  return layer && drawing.layers ? spotsOf(layer, drawing.layers, model.geometry) : [];
}

/** Change the layer that is drawn in. `more` is asked when its turn comes, if it depends on what was drawn before it. */
async function change(more: object | ((layer: Layer) => object | null), commit = true): Promise<boolean> {
  const name = active()!.name;
  if (typeof more !== "function") return draw([{ layer: name, ...more } as Stroke], commit);
  return draw(() => {
    const layer = layerNamed(name);
    const made = layer && more(layer);
    return made ? [{ layer: name, ...made } as Stroke] : [];
  }, commit);
}

/** Write at a place what a click writes there. */
function click(spot: Spot, otherwise: string | null = null): Promise<boolean> {
  return change((layer) => {
    const value = layer.kind === "picture" ? toWrite(layer, spot) : undefined;
    return { do: "put", at: [spot.at], value: value === undefined ? otherwise : value };
  });
}

async function resize(sides: object): Promise<void> {
  cursor = null;
  await draw([{ do: "size", ...sides }]);
}

// --- what is shown ---

function showAll(): void {
  if (!isShown("draw")) return;
  const all = drawing.layers;
  const layer = active();
  for (const element of [stage, palette, tools]) element.hidden = !layer;
  recordTools.element.hidden = !layer || (layer.kind !== "paths" && layer.kind !== "spots");
  (below.firstElementChild as HTMLElement).hidden = !layer;
  empty.hidden = Boolean(layer) && !all?.undrawn.length;
  const words = all?.undrawn.map(({ name, why }) => `${name} can’t be drawn: ${why}.`) ?? [];
  if (!layer)
    fill(empty, h("p", {}, all ? "This model has no board that can be drawn: no grid, no area and no pieces." : "Reading the model…"), all && button("New puzzle", () => void newPuzzle(), { class: "primary", id: "draw-new" }));
  else fill(empty, ...words.map((line) => h("p", {}, line)));
  if (!layer || !all) return;
  showChips(all.layers, layer);
  showPalette(layer);
  const here = spots();
  const old = cursor;
  cursor = old && (here.find((spot) => same(spot, old) && spot.side === old.side) ?? here.find((spot) => spot.at[0] === old.at[0] && spot.at[1] === old.at[1]) ?? null);
  if (chosen !== null && (!("records" in layer) || chosen >= layer.records.length)) chosen = null;
  recordTools.show(layer, chosen, cursor);
  filled("draw");
  show();
}

function showChips(layers: Layer[], layer: Layer): void {
  const shown = JSON.stringify(layers.map((one) => [one.name, one.kind, one.kind === "picture" && one.role, one.given, one === layer]));
  if (chips.dataset.shown === shown) return; // a button that is made anew while it is pressed hears no click
  chips.dataset.shown = shown;
  const focused = chips.contains(document.activeElement);
  fill(
    chips,
    ...layers.map((one) => {
      const role = one.kind === "picture" ? NAMES[one.role] : one.kind === "margin" ? "beside" : one.kind === "paths" ? "lines" : one.kind === "walls" ? "borders" : "marks";
      return h(
        "button",
        { type: "button", role: "radio", class: "chip", "aria-checked": String(one === layer), tabindex: one === layer ? "0" : "-1", "data-layer": one.name, onclick: () => choose(one.name) },
        h("code", {}, one.name), " ", h("span", { class: "faint" }, one.given ? `${role}, from Data` : role!),
      ); // prettier-ignore
    }),
  );
  chips.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = layers.findIndex(({ name }) => name === layer.name);
    choose(layers[(at + by + layers.length) % layers.length]!.name);
  };
  if (focused) (chips.querySelector("[aria-checked='true']") as HTMLElement | null)?.focus();
}

/** Draw in another layer. */
export function choose(name: string): void {
  wanted = name;
  cursor = null;
  chosen = null;
  path = [];
  still.forget();
  showAll();
}

/** What may be written, as buttons: with one of them pressed, the mouse writes it. */
function showPalette(layer: Layer): void {
  const now = tool(layer);
  const press = (label: string, value: string | null, words: string) =>
    button(label, () => arm(layerNamed(layer.name) ?? layer, value), { "aria-pressed": String(now === value), "aria-label": words, title: words, "data-sign": value ?? "" });
  const found: HTMLElement[] = [];
  if (layer.kind === "picture") {
    if (layer.role === "cells") found.push(press("On and off", "toggle", "Switch cells on and off"));
    else if (layer.role === "signs") {
      found.push(press("➤", null, "Only move; keys write"), ...offered(layer).map((sign) => press(sign, sign, `Write ${sign}`)));
      found.push(press("⌫", ".", "Take away"), button("Other…", () => void typeIn(), { "aria-label": "Other…: write another clue" }));
      if (layer.lattice !== "square") found.push(press("On and off", "toggle", "Switch cells on and off"));
    } else {
      const what = layer.role === "pieces" ? "piece" : "region";
      const used = [...new Set(layer.cells.flat())].filter((cell): cell is string => cell !== null && cell !== ".");
      found.push(press(`New ${what}`, "new", `Each stroke draws a new ${what}`), ...used.sort().map((letter) => press(letter, letter, `More of ${what} ${letter}`)));
      found.push(press("⌫", ".", "Take away"));
    }
  }
  const signs = found.map((one) => `${one.dataset.sign ?? ""}${one.getAttribute("aria-pressed")}`).join(" ");
  palette.hidden = !found.length;
  if (palette.dataset.signs === `${layer.name} ${signs}`) return;
  palette.dataset.signs = `${layer.name} ${signs}`;
  fill(palette, ...found);
}

/** What may be written in a layer: the values that the compiled model knows, with the signs of the text. */
function offered(layer: PictureLayer): string[] {
  const known = model.signs[layer.name];
  return known ? [...new Set([...known, ...layer.offered.filter((sign) => !NUMBER.test(sign))])] : layer.offered;
}

function tool(layer: Layer): string | null {
  if (layer.name in armed) return armed[layer.name]!;
  if (layer.kind !== "picture") return null;
  return layer.role === "cells" ? "toggle" : layer.role === "signs" ? null : "new";
}

function arm(layer: Layer, value: string | null): void {
  armed[layer.name] = value;
  if (layer.kind === "picture" && layer.role === "signs" && cursor && value !== null && value !== "toggle") void write(value);
  showPalette(layer);
  (stage.checkVisibility() ? stage : stageElement()).focus();
}

const show = onFrame(() => {
  const layer = active();
  const all = drawing.layers;
  if (!layer || !all || !isShown("draw")) return;
  const svg = paint({ all, active: layer, geometry: model.geometry, cursor: document.activeElement === stage || cursor ? cursor : null, path, chosen, frame: stroking?.frame });
  fill(stage, svg as unknown as HTMLElement);
  still.place();
  stage.dataset.layer = layer.name;
  performance.mark("covr-canvas");
});

// --- the mouse ---

type Pointed = (event: PointerEvent) => { x: number; y: number } | null; // where the pointer is, in squares
let pointed: Pointed;

/** Take strokes in an element, while they are wanted there: in the drawing, or in the picture of what is drawn. */
export function strokesIn(element: HTMLElement, at: Pointed, wanted: () => boolean = () => true, after: () => void = () => undefined): void {
  const hear = (act: (event: PointerEvent) => void) => (event: PointerEvent) => {
    if (!wanted()) return;
    pointed = at;
    act(event);
    after();
  };
  element.addEventListener("pointerdown", hear(down));
  element.addEventListener("pointermove", hear(move));
  element.addEventListener("pointerup", hear(up));
  element.addEventListener("pointercancel", hear(cancel));
  element.addEventListener("contextmenu", (event) => wanted() && event.preventDefault());
}

/** The places of a stroke or of a line of keys that goes on, and whether they are a line. */
export function strokeNow(): { spots: Spot[]; isLine: boolean } {
  const line = path.length ? spots().filter(({ at }) => path.some((one) => one[0] === at[0] && one[1] === at[1])) : [];
  return { spots: stroking?.spots ?? line, isLine: active()?.kind === "paths" };
}

/** Where the picture has taken the place of the drawing, it takes the focus, too. */
export function leaveHidden(): void {
  if (document.activeElement === stage && !stage.checkVisibility()) stageElement().focus();
}

function spotAt(event: PointerEvent): Spot | null {
  const point = pointed(event);
  return point && nearest(stroking?.among ?? spots(), point.x, point.y);
}

function down(event: PointerEvent): void {
  if (event.button > 2) return;
  const element = event.currentTarget as HTMLElement;
  const layer = active();
  const spot = spotAt(event);
  event.preventDefault();
  element.focus({ preventScroll: true });
  if (!layer || !spot) return;
  cursor = spot;
  typed = "";
  tellCursor();
  const erase = event.button === 2;
  if (layer.kind === "paths") {
    const at = layer.records.findIndex(({ squares }) => squares.some((one) => one && one[0] === spot.at[0] && one[1] === spot.at[1]));
    if (erase && at >= 0) return void change({ do: "cut", record: at });
    path = [spot.at];
    stroking = begin(spot);
    element.setPointerCapture(event.pointerId);
    return showAll();
  }
  if (layer.kind === "spots") {
    chosen = layer.records.findIndex(({ at }) => at?.[0] === spot.at[0] && at[1] === spot.at[1]);
    if (chosen < 0) chosen = null;
    if (erase) void change({ do: "spot", at: spot.at, fields: null });
    return showAll();
  }
  if (layer.kind === "walls") {
    void wall(spot, erase);
    return show();
  }
  if (layer.kind === "margin") return show();
  if (!erase && toWrite(layer, spot) === undefined) return show();
  stroking = begin(spot, erase ? (layer.role === "cells" ? null : ".") : undefined);
  element.setPointerCapture(event.pointerId);
  void paintStroke(false);
}

/** A stroke, during which the drawing stays where it is, even if it grows. */
function begin(spot: Spot, value?: string | null): typeof stroking {
  return { spots: [spot], value, among: spots(), frame: stage.querySelector("svg")?.getAttribute("viewBox") ?? "" };
}

/** What the mouse writes at a place: undefined for nothing. */
function toWrite(layer: PictureLayer, spot: Spot): string | null | undefined {
  const now = tool(layer);
  const there = layer.cells[spot.at[0] - 1]?.[spot.at[1] - 1] ?? null;
  if (layer.role === "cells" || now === "toggle") return there === null || (layer.role === "cells" && there === "#") ? "." : null;
  if (now === null) return undefined;
  if (layer.role === "signs" && there === now) return "."; // a second stroke takes it away
  return now;
}

function paintStroke(commit: boolean): Promise<boolean> {
  const now = stroking!;
  return change((layer) => {
    if (now.value === undefined && layer.kind === "picture") now.value = toWrite(layer, now.spots[0]!) ?? null;
    return { do: "put", at: now.spots.map(({ at }) => at), value: now.value };
  }, commit);
}

function move(event: PointerEvent): void {
  if (!stroking) return;
  for (const each of event.getCoalescedEvents?.() ?? [event]) {
    const spot = spotAt(each);
    const layer = active();
    if (!spot || !layer || stroking.spots.some((one) => same(one, spot))) continue;
    if (layer.kind === "paths") {
      const last = path.at(-1)!;
      if (Math.max(Math.abs(last[0] - spot.at[0]), Math.abs(last[1] - spot.at[1])) > 1) continue;
      path.push(spot.at);
    }
    stroking.spots.push(spot);
    cursor = spot;
    if (layer.kind === "picture") void paintStroke(false);
    else show();
  }
}

function up(): void {
  if (!stroking) return;
  const layer = active();
  const done = stroking;
  if (layer?.kind === "picture") void paintStroke(true);
  stroking = null;
  if (layer?.kind !== "paths") return;
  if (done.spots.length === 1 && !(layer.look === "group" && beginsGroup(layer, done.spots[0]!))) {
    path = [];
    const at = done.spots[0]!.at;
    const found = layer.records.findIndex(({ squares }) => squares.some((one) => one && one[0] === at[0] && one[1] === at[1]));
    chosen = found < 0 ? null : found;
    return showAll();
  }
  void endPath();
}

/** Whether a click on a square begins a group of one square: where no group is. */
function beginsGroup(layer: Layer, spot: Spot): boolean {
  return layer.kind === "paths" && !layer.records.some(({ squares }) => squares.some((one) => one && one[0] === spot.at[0] && one[1] === spot.at[1]));
}

function cancel(): void {
  stroking = null;
  path = [];
  void refresh();
  show();
}

async function endPath(): Promise<void> {
  const layer = active();
  if (!layer || layer.kind !== "paths" || !path.length) return;
  const at = path;
  path = [];
  const fields = layer.fields.map((_, k) => recordTools.field(k) ?? ".");
  if (await change({ do: "path", at, fields })) chosen = ((layerNamed(layer.name) as typeof layer | undefined)?.records.length ?? 0) - 1;
  showAll();
}

async function wall(spot: Spot, erase = false): Promise<void> {
  const layer = active();
  if (!layer || layer.kind !== "walls" || !spot.to) return;
  const [a, b] = [spot.at, spot.to];
  await change((now) => (now.kind === "walls" ? turned(now, a, b, erase) : null));
}

/** What a click on a border does: it is drawn, turned where it has a direction, and taken away. */
function turned(layer: WallsLayer, a: Place, b: Place, erase: boolean): object {
  const is = (one: Place, other: Place) => one[0] === other[0] && one[1] === other[1];
  const there = layer.pairs.find((pair) => (is(pair.a, a) && is(pair.b, b)) || (is(pair.a, b) && is(pair.b, a)));
  if (erase || (there && !(layer.ordered && is(there.a, a)))) return { do: "wall", between: [a, b], on: false };
  const fields = layer.fields.map((_, k) => there?.fields[k] ?? known(layer.name, k));
  return { do: "wall", between: there ? [b, a] : [a, b], fields };
}

function known(name: string, field: number): string {
  const layer = layerNamed(name);
  return layer?.kind === "walls" ? (layer.pairs.at(-1)?.fields[field] ?? ".") : ".";
}

// --- keys ---

const WAYS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** What a key does to the layer that is drawn in; says whether it did anything. */
export function keyInPicture(event: KeyboardEvent): boolean {
  key(event);
  return event.defaultPrevented;
}

/** Go to a place of the picture as a click of keys does, and write what is pressed. */
export function clickInPicture(at: Place): void {
  const layer = active();
  const spot = spots().find((one) => one.at[0] === at[0] && one.at[1] === at[1]);
  if (!layer || !spot) return;
  const again = cursor !== null && same(cursor, spot);
  cursor = spot;
  typed = "";
  tellCursor();
  if (layer.kind === "picture") {
    const value = toWrite(layer, spot);
    if (value !== undefined && (layer.role === "signs" || layer.role === "cells" || again)) void click(spot);
  }
  showAll();
}

/** Where keys write, and in which layer. */
export function cursorNow(): { layer: Layer; spot: Spot } | null {
  const layer = active();
  return layer && cursor ? { layer, spot: cursor } : null;
}

function key(event: KeyboardEvent): void {
  const layer = active();
  if (!layer) return;
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === "z") event.shiftKey ? redoDrawing() : undoDrawing();
  else if (command && event.key.toLowerCase() === "y") redoDrawing();
  else if (command || event.altKey) return;
  else if (WAYS[event.key]) step(layer, WAYS[event.key]!, event.shiftKey);
  else if (event.key === "Home" || event.key === "End") at(event.key === "Home" ? spots()[0] : spots().at(-1));
  else if (event.key === "Backspace" || event.key === "Delete") erase(layer);
  else if (event.key === "Escape" && (path.length || stroking)) cancel();
  else if (event.key === "Escape") return;
  else if (event.key === " ") press(layer);
  else if (event.key === "Enter") void (path.length > 0 ? endPath() : typeIn());
  else if ([...event.key].length === 1) type(layer, event.key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function at(spot: Spot | undefined): void {
  if (!spot) return;
  cursor = spot;
  typed = "";
  tellCursor();
  showAll();
}

function step(layer: Layer, way: [number, number], painting: boolean): void {
  if (!cursor) return at(spots()[0]);
  const next = beyond(spots(), cursor, way);
  if (path.length && layer.kind === "paths") path = path.some((one) => one[0] === next.at[0] && one[1] === next.at[1]) ? path : [...path, next.at];
  const from = cursor;
  at(next);
  if (painting && layer.kind === "picture" && tool(layer) !== null && next !== from) {
    const now = tool(layer);
    const there = layer.cells[from.at[0] - 1]?.[from.at[1] - 1] ?? null;
    const value = layer.role === "cells" && there === "#" ? null : layer.role === "cells" || now === "toggle" ? there : layer.role === "regions" || layer.role === "pieces" ? there : now;
    void change({ do: "put", at: [next.at], value });
  }
}

function tellCursor(): void {
  const layer = active();
  if (!cursor || !layer) return;
  const place = layer.kind === "margin" ? `${cursor.side}, ${cursor.at[0]}` : cursor.to ? `between ${cursor.at.join(", ")} and ${cursor.to.join(", ")}` : `row ${cursor.at[0]}, column ${cursor.at[1]}`;
  announce(`${place}: ${standing(layer, cursor)}`);
}

/** What stands at a place, in words. */
function standing(layer: Layer, spot: Spot): string {
  if (layer.kind === "picture") {
    const cell = layer.cells[spot.at[0] - 1]?.[spot.at[1] - 1] ?? null;
    return layer.role === "cells" ? (cell === null || cell === "#" ? "off" : "on") : cell === null || cell === "." ? "blank" : cell;
  }
  if (layer.kind === "margin") return layer.sides.find((one) => one.side === spot.side && one.depth === spot.at[1])?.clues[spot.at[0] - 1] || "blank";
  if (layer.kind === "walls") return layer.pairs.some(({ a, b }) => `${a}` === `${spot.at}` && `${b}` === `${spot.to}` || `${b}` === `${spot.at}` && `${a}` === `${spot.to}`) ? "a border" : "none";
  return "";
}

function erase(layer: Layer): void {
  if (chosen !== null && (layer.kind === "paths" || layer.kind === "spots")) return void change({ do: "cut", record: chosen });
  if (!cursor) return;
  typed = "";
  if (layer.kind === "picture") void change({ do: "put", at: [cursor.at], value: layer.role === "cells" ? null : "." });
  else if (layer.kind === "margin") void change({ do: "margin", side: cursor.side, depth: cursor.at[1], index: cursor.at[0], value: "" });
  else if (layer.kind === "walls") void wall(cursor, true);
  else if (layer.kind === "spots") void change({ do: "spot", at: cursor.at, fields: null });
}

/** The space bar does what a click does. */
function press(layer: Layer): void {
  if (!cursor) return;
  if (layer.kind === "walls") return void wall(cursor);
  if (layer.kind === "paths") {
    path = path.length ? [...path, cursor.at] : [cursor.at];
    announce("A line begins here: arrow keys lead it on, Enter ends it.");
    return show();
  }
  if (layer.kind === "spots") return recordTools.focus();
  if (layer.kind === "margin") return erase(layer);
  void click(cursor, ".");
}

/** Write a sign. Digits typed one after the other make a number where the layer holds such numbers. */
function type(layer: Layer, sign: string): void {
  if (!cursor) cursor = spots()[0] ?? null;
  if (!cursor) return;
  if (layer.kind === "spots") return recordTools.focus(sign);
  if (layer.kind === "walls" || layer.kind === "paths") return;
  if (layer.kind === "picture" && layer.role === "cells") return void change({ do: "put", at: [cursor.at], value: sign === "#" ? null : "." });
  const now = performance.now();
  const joined = typed + (layer.kind === "margin" && layer.several && typed ? " " : "") + sign;
  const digits = /^[0-9 ]+$/.test(joined);
  const goesOn = typed !== "" && now - typedAt < TYPING && digits && joins(layer, joined);
  const value = goesOn ? joined : sign;
  typed = /^[0-9]$/.test(sign) ? value : "";
  typedAt = now;
  performance.mark("covr-stroke");
  if (layer.kind === "picture" && (layer.role === "regions" || layer.role === "pieces")) armed[layer.name] = sign;
  void write(value);
}

function write(value: string): Promise<boolean> {
  const layer = active()!;
  if (layer.kind === "margin") return change({ do: "margin", side: cursor!.side, depth: cursor!.at[1], index: cursor!.at[0], value });
  return change({ do: "put", at: [cursor!.at], value });
}

/** Whether digits in quick succession are one number: not on boards whose numbers have one digit, as in a sudoku. */
function joins(layer: Layer, number: string): boolean {
  if (layer.kind !== "picture") return true;
  const signs = offered(layer);
  const most = Math.max(...signs.filter((sign) => NUMBER.test(sign)).map(Number), 0);
  const known = model.signs[layer.name] && most < MOST_SIGN;
  return (!known && (signs.includes("?") || signs.includes("#"))) || Number(number) <= most;
}

/** A clue that is longer than one key, or a field by its name. */
async function typeIn(): Promise<void> {
  const layer = active();
  if (!layer || !cursor) return;
  if (layer.kind === "spots" || layer.kind === "paths") return recordTools.focus();
  if (layer.kind === "walls") return wall(cursor);
  if (layer.kind === "picture" && layer.role === "cells") return press(layer);
  const old = standing(layer, cursor);
  const value = await askFor("Clue", `What stands at ${cursor.at.join(", ")}`, old === "blank" ? "" : old);
  stage.focus();
  if (value !== null) await write(value);
}
