// Where a point of the page lies on the picture's board, and back: as row and column, with what is between them.

import { stageElement } from "./picture.ts";
import { s } from "./canvas.ts";

interface Scale {
  left: number; // of column 0
  wide: number; // from one column to the next
  top: number;
  high: number;
}

/** The cells of a picture of the answer, by their places. */
export function cellsOf(picture: number): Map<string, SVGGraphicsElement> {
  const found = new Map<string, SVGGraphicsElement>();
  for (const cell of stageElement().querySelectorAll<SVGGraphicsElement>(`[data-at^="${picture}:"]`)) found.set(cell.dataset.at!.split(":")[1]!, cell);
  return found;
}

/** How a board of squares lies on the page; null where there is none. */
function scaleOf(picture: number): Scale | null {
  const cells = [...cellsOf(picture)].map(([at, cell]) => {
    const box = cell.getBoundingClientRect();
    const [row, col] = at.split(",").map(Number) as [number, number];
    return { row, col, x: box.left + box.width / 2, y: box.top + box.height / 2, wide: box.width, high: box.height };
  });
  if (!cells.length) return null;
  const [west, east] = [cells.reduce((a, b) => (b.col < a.col ? b : a)), cells.reduce((a, b) => (b.col > a.col ? b : a))];
  const [north, south] = [cells.reduce((a, b) => (b.row < a.row ? b : a)), cells.reduce((a, b) => (b.row > a.row ? b : a))];
  const wide = east.col > west.col ? (east.x - west.x) / (east.col - west.col) : west.wide;
  const high = south.row > north.row ? (south.y - north.y) / (south.row - north.row) : north.high;
  return { left: west.x - west.col * wide, wide, top: north.y - north.row * high, high };
}

export function boardPoint(event: { clientX: number; clientY: number }, picture = 0): { x: number; y: number } | null {
  const scale = scaleOf(picture);
  return scale && { x: (event.clientX - scale.left) / scale.wide, y: (event.clientY - scale.top) / scale.high };
}

/** Draw over the picture, at a point of its board: `make` is given the point and the size of a square there. */
export function overlay(name: string, spots: { x: number; y: number }[], make: (x: number, y: number, side: number) => SVGElement, picture = 0): void {
  const svg = stageElement().querySelector("svg");
  svg?.querySelector(`g.over-${name}`)?.remove();
  const scale = scaleOf(picture);
  const matrix = svg?.getScreenCTM()?.inverse();
  if (!svg || !scale || !matrix || !spots.length) return;
  const group = s("g", { class: `over over-${name}` });
  for (const { x, y } of spots) {
    const point = new DOMPoint(scale.left + x * scale.wide, scale.top + y * scale.high).matrixTransform(matrix);
    group.append(make(point.x, point.y, scale.wide * matrix.a));
  }
  svg.append(group);
}
