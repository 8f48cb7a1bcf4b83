// All layers of a text as one drawing: what stands where, as the server reads the text.

import { boardLie, type Lie, lieOf, middle, type Spot, spotsOf, TALL } from "./spots.ts";
import type { Geometry, Layer, Layers, MarginLayer, PathsLayer, PictureLayer, Place, SpotsLayer, WallsLayer } from "./types.ts";

const SPACE = "http://www.w3.org/2000/svg";
export const UNIT = 40; // of the drawing's own coordinates, for a square
const EDGE = 0.75; // squares of paper around the drawing

type Attributes = Record<string, string | number | undefined>;

export function s(tag: string, attributes: Attributes, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export interface View {
  all: Layers;
  active: Layer;
  geometry: Geometry | null;
  cursor: Spot | null;
  path: Place[]; // a line that is being drawn
  chosen: number | null; // the record that is chosen
  frame?: string; // the coordinates that the drawing has had so far: while a stroke goes on they stay
}

/** The drawing as an SVG, and where its coordinates begin. */
export function paint(view: View): SVGSVGElement {
  const { all, active, geometry } = view;
  const single = active.kind === "picture" && (active.role === "pieces" || active.lattice !== "square");
  const shown = single ? [active] : all.layers.filter((layer) => !(layer.kind === "picture" && (layer.role === "pieces" || layer.lattice !== "square")));
  const spots = shown.flatMap((layer) => spotsOf(layer, all, geometry));
  const [left, right] = [Math.min(...spots.map(({ x }) => x)) - EDGE, Math.max(...spots.map(({ x }) => x)) + EDGE];
  const [top, bottom] = [Math.min(...spots.map(({ y }) => y)) - EDGE, Math.max(...spots.map(({ y }) => y)) + EDGE];
  const svg = s("svg", {
    viewBox: view.frame ?? [left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT].join(" "), "aria-hidden": "true",
  }) as SVGSVGElement; // prettier-ignore
  const order = (layer: Layer) => (layer === active ? 9 : layer.kind === "picture" ? (layer.role === "regions" || layer.role === "cells" ? 0 : 2) : 1);
  const board = boardLie(all, geometry);
  if (!single) svg.append(squares(all, geometry));
  for (const layer of [...shown].sort((a, b) => order(a) - order(b))) {
    const group = s("g", { class: `layer ${layer === active ? "active" : "resting"}`, "data-layer": layer.name });
    if (layer.kind === "picture") picture(group, layer, lieOf(layer, all, geometry), layer === active);
    else if (layer.kind === "walls") walls(group, layer, board);
    else if (layer.kind === "paths") paths(group, layer, board, layer === active ? view.chosen : null);
    else if (layer.kind === "spots") marks(group, layer, all, geometry, layer === active ? view.chosen : null);
    else margin(group, layer, all, geometry);
    svg.append(group);
  }
  if (view.path.length) svg.append(line(view.path, board, "path drawing"));
  if (view.cursor) svg.append(ring(view.cursor, active, all, geometry));
  return svg;
}

// --- the paper ---

/** The squares of the board, where a layer has them, or those of the picture between whose corners a layer writes. */
function squares(all: Layers, geometry: Geometry | null): SVGElement {
  const group = s("g", { class: "paper" });
  const square = (x: number, y: number) => group.append(s("rect", { x: (x - 0.5) * UNIT, y: (y - 0.5) * UNIT, width: UNIT, height: UNIT }));
  const pictures = all.layers.filter((layer): layer is PictureLayer => layer.kind === "picture" && layer.role !== "pieces" && layer.lattice === "square");
  const own = pictures.find((layer) => {
    const lie = lieOf(layer, all, geometry);
    return lie.scale === 1 && lie.down >= 0;
  });
  const board = geometry?.board;
  if (own) {
    for (let r = 1; r <= own.rows; r++)
      for (let c = 1; c <= own.cols; c++) {
        const { x, y } = middle(own, [r, c], lieOf(own, all, geometry));
        square(x, y);
      }
  } else if (board) {
    for (let y = board[0]; y <= board[2]; y++) for (let x = board[1]; x <= board[3]; x++) square(x, y);
  } else if (!pictures.length) {
    for (let y = 1; y <= all.rows; y++) for (let x = 1; x <= all.cols; x++) square(x, y);
  }
  return group;
}

// --- layers ---

function picture(group: SVGElement, layer: PictureLayer, lie: Lie, active: boolean): void {
  const tint = new Map<string, number>();
  for (const at of layer.off) group.append(shape(layer, at, lie, "off"));
  layer.cells.forEach((row, r) =>
    row.forEach((cell, c) => {
      const at: Place = [r + 1, c + 1];
      if (cell === null && layer.lattice !== "square") return;
      const { x, y } = middle(layer, at, lie);
      const lettered = layer.role === "regions" || layer.role === "pieces";
      if (lettered && cell !== null && cell !== ".") {
        if (!tint.has(cell)) tint.set(cell, tint.size);
        const filled = shape(layer, at, lie, "tinted");
        filled.setAttribute("fill", `hsl(${Math.round(tint.get(cell)! * 137.5) % 360} 60% 50% / 0.24)`);
        group.append(filled);
        if (active) group.append(text(cell, x - 0.34 * lie.scale, y - 0.32 * lie.scale, 0.6 * lie.scale, "letter"));
      } else if (layer.role === "cells") group.append(shape(layer, at, lie, cell === null || cell === "#" ? "off" : "on"));
      else if (layer.lattice !== "square" && cell !== null) {
        group.append(shape(layer, at, lie, "place"));
        if (cell !== ".") group.append(text(cell, x, y, 0.8, "sign"));
      } else if (layer.role === "signs" && cell !== null && cell !== ".") group.append(...sign(cell, x, y, lie));
      else if (layer.role === "signs" && active && lie.scale < 1) group.append(s("circle", { cx: x * UNIT, cy: y * UNIT, r: 1.4, class: "dot" }));
      else if (layer.role === "signs" && active && lie.down < 0) group.append(s("circle", { cx: x * UNIT, cy: y * UNIT, r: 5, class: "corner" }));
    }),
  );
  if (layer.lattice === "square" && (layer.role === "regions" || layer.role === "pieces")) group.append(borders(layer, lie));
}

/** A sign of a grid: black squares and lines as such, everything else as a text, on paper where it stands on a line. */
function sign(cell: string, x: number, y: number, lie: Lie): SVGElement[] {
  const half = lie.scale < 1;
  if (cell === "#" && !half) return [s("rect", { x: (x - 0.5) * UNIT, y: (y - 0.5) * UNIT, width: UNIT, height: UNIT, class: "black" })];
  if (half && (cell === "-" || cell === "|")) {
    const [dx, dy] = cell === "-" ? [0.5, 0] : [0, 0.5];
    return [s("line", { x1: (x - dx) * UNIT, x2: (x + dx) * UNIT, y1: (y - dy) * UNIT, y2: (y + dy) * UNIT, class: "stroke" })];
  }
  const paper = half || lie.down < 0 ? [s("circle", { cx: x * UNIT, cy: y * UNIT, r: 9, class: "plate" })] : [];
  return [...paper, text(cell, x, y, half ? 0.55 : lie.down < 0 ? 0.7 : 1, "sign")];
}

function text(words: string, x: number, y: number, scale: number, name: string): SVGElement {
  const size = (22 * scale) / Math.max(1, [...words].length * 0.55);
  return s("text", { x: x * UNIT, y: y * UNIT, class: name, "font-size": size.toFixed(1), "text-anchor": "middle", "dominant-baseline": "central" }, words);
}

/** The outline of a place. */
function shape(layer: PictureLayer, at: Place, lie: Lie, name: string): SVGElement {
  const { x, y } = middle(layer, at, lie);
  if (layer.lattice === "square") {
    const side = lie.scale * UNIT;
    return s("rect", { x: x * UNIT - side / 2, y: y * UNIT - side / 2, width: side, height: side, class: name });
  }
  if (layer.lattice === "sticks") {
    const [dx, dy] = at[0] % 2 ? [0.46, 0] : [0, 0.46];
    return s("line", { x1: (x - dx) * UNIT, x2: (x + dx) * UNIT, y1: (y - dy) * UNIT, y2: (y + dy) * UNIT, class: `stick ${name}` });
  }
  const corners: [number, number][] =
    layer.lattice === "hex"
      ? [0, 1, 2, 3, 4, 5].map((k) => [x + Math.sin((k * Math.PI) / 3) / Math.sqrt(3), y + Math.cos((k * Math.PI) / 3) / Math.sqrt(3)])
      : (at[0] + at[1]) % 2
        ? [[x - 0.5, y - TALL / 2], [x + 0.5, y - TALL / 2], [x, y + TALL / 2]]
        : [[x - 0.5, y + TALL / 2], [x + 0.5, y + TALL / 2], [x, y - TALL / 2]]; // prettier-ignore
  return s("polygon", { points: corners.map(([a, b]) => `${(a * UNIT).toFixed(1)},${(b * UNIT).toFixed(1)}`).join(" "), class: name });
}

/** Thick lines between unlike regions. */
function borders(layer: PictureLayer, lie: Lie): SVGElement {
  const lines: string[] = [];
  const at = (r: number, c: number) => layer.cells[r]?.[c] ?? (layer.role === "pieces" ? "." : null);
  const blank = (cell: string | null) => cell === null || cell === ".";
  for (let r = 0; r <= layer.rows; r++)
    for (let c = 0; c <= layer.cols; c++) {
      const { x, y } = middle(layer, [r + 1, c + 1], lie);
      const [left, top] = [(x - lie.scale / 2) * UNIT, (y - lie.scale / 2) * UNIT];
      const side = lie.scale * UNIT;
      const differ = (a: string | null, b: string | null) => a !== b && !(blank(a) && blank(b));
      if (differ(at(r, c), at(r, c - 1))) lines.push(`M${left} ${top}v${side}`);
      if (differ(at(r, c), at(r - 1, c))) lines.push(`M${left} ${top}h${side}`);
    }
  return s("path", { d: lines.join(""), class: "border" });
}

function walls(group: SVGElement, layer: WallsLayer, lie: Lie): void {
  for (const { a, b, fields } of layer.pairs) {
    const x = (a[1] + b[1]) / 2 + lie.across;
    const y = (a[0] + b[0]) / 2 + lie.down;
    if (layer.ordered) {
      const arrow = a[0] === b[0] ? (a[1] < b[1] ? "<" : ">") : a[0] < b[0] ? "^" : "v";
      group.append(s("circle", { cx: x * UNIT, cy: y * UNIT, r: 8, class: "plate" }), text(arrow, x, y, 0.7, "sign"));
      continue;
    }
    const [dx, dy] = a[0] === b[0] ? [0, 0.5] : [0.5, 0];
    group.append(s("line", { x1: (x - dx) * UNIT, x2: (x + dx) * UNIT, y1: (y - dy) * UNIT, y2: (y + dy) * UNIT, class: "wall" }));
    const said = fields.filter((field) => field !== ".").at(-1);
    if (said) group.append(s("circle", { cx: x * UNIT, cy: y * UNIT, r: 8, class: "plate" }), text(said, x, y, 0.5, "sign"));
  }
}

function line(squares: (Place | null)[], lie: Lie, name: string): SVGElement {
  const points = squares.filter((at): at is Place => at !== null).map(([r, c]) => `${(c + lie.across) * UNIT},${(r + lie.down) * UNIT}`);
  return s("polyline", { points: points.join(" "), class: name });
}

function paths(group: SVGElement, layer: PathsLayer, lie: Lie, chosen: number | null): void {
  layer.records.forEach(({ squares, fields }, at) => {
    const first = squares[0];
    const last = squares.at(-1);
    if (!first || !last) return;
    const kind = fields[0] ?? "";
    const look = /thermo|bulb/.test(kind) ? "bulb" : /arrow/.test(kind) ? "arrow" : layer.look;
    const name = at === chosen ? " chosen" : "";
    const [x, y] = [(first[1] + lie.across) * UNIT, (first[0] + lie.down) * UNIT];
    if (look === "group") {
      for (const square of squares)
        if (square) group.append(s("rect", { x: (square[1] + lie.across - 0.42) * UNIT, y: (square[0] + lie.down - 0.42) * UNIT, width: UNIT * 0.84, height: UNIT * 0.84, rx: 4, class: `member${name}` }));
      group.append(line(squares, lie, `thread${name}`));
    } else {
      group.append(line(squares, lie, `path ${look}${name}`));
      if (look === "bulb" || look === "arrow") group.append(s("circle", { cx: x, cy: y, r: UNIT * 0.34, class: `end ${look}${name}` }));
      if (look === "arrow" && squares.length > 1) group.append(head(squares.filter((one): one is Place => one !== null), lie, name));
    }
    const said = fields.filter((field) => field && field !== ".").join(" ");
    if (said && look === "group") group.append(text(said, first[1] + lie.across - 0.22, first[0] + lie.down - 0.28, 0.5, "small"));
  });
}

function head(squares: Place[], lie: Lie, name: string): SVGElement {
  const [a, b] = [squares.at(-2)!, squares.at(-1)!];
  const [dx, dy] = [Math.sign(b[1] - a[1]), Math.sign(b[0] - a[0])];
  const [x, y] = [(b[1] + lie.across) * UNIT, (b[0] + lie.down) * UNIT];
  const wing = (turn: number) => `${x + (-dx * 9 + turn * dy * 7)},${y + (-dy * 9 - turn * dx * 7)}`;
  return s("polyline", { points: `${wing(1)} ${x},${y} ${wing(-1)}`, class: `path arrow${name}` });
}

function marks(group: SVGElement, layer: SpotsLayer, all: Layers, geometry: Geometry | null, chosen: number | null): void {
  const spots = spotsOf(layer, all, geometry);
  layer.records.forEach(({ fields, at }, number) => {
    const spot = at && spots.find((one) => one.at[0] === at[0] && one.at[1] === at[1]);
    if (!spot) return;
    const said = fields.filter((field) => field && field !== ".").join(" ");
    const corner = layer.look === "corner";
    if (corner) group.append(s("circle", { cx: spot.x * UNIT, cy: spot.y * UNIT, r: 13, class: `plate${number === chosen ? " chosen" : ""}` }));
    if (layer.look === "square") group.append(text(said || "•", spot.x, spot.y + 0.28, 0.75, `small${number === chosen ? " chosen" : ""}`));
    else group.append(text(said || "•", spot.x, spot.y, corner ? 0.7 : 0.9, "sign"));
  });
}

function margin(group: SVGElement, layer: MarginLayer, all: Layers, geometry: Geometry | null): void {
  for (const spot of spotsOf(layer, all, geometry)) {
    const side = layer.sides.find((one) => one.side === spot.side && one.depth === spot.at[1]);
    const clue = side?.clues[spot.at[0] - 1] ?? "";
    group.append(s("rect", { x: (spot.x - 0.44) * UNIT, y: (spot.y - 0.44) * UNIT, width: UNIT * 0.88, height: UNIT * 0.88, rx: 4, class: "beside" }));
    if (clue) group.append(text(clue, spot.x, spot.y, 0.95, "sign"));
  }
}

/** A ring round the place that keys write to. */
function ring(spot: Spot, layer: Layer, all: Layers, geometry: Geometry | null): SVGElement {
  if (layer.kind === "picture" && layer.lattice !== "square") return shape(layer, spot.at, lieOf(layer, all, geometry), "cursor");
  const small = layer.kind === "walls" || (layer.kind === "spots" && layer.look === "corner") || (layer.kind === "picture" && (lieOf(layer, all, geometry).scale < 1 || lieOf(layer, all, geometry).down < 0));
  const half = small ? 0.25 : 0.46;
  return s("rect", { x: (spot.x - half) * UNIT, y: (spot.y - half) * UNIT, width: 2 * half * UNIT, height: 2 * half * UNIT, rx: 4, class: "cursor" });
}
