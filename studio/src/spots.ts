// Where the places of a layer lie on the drawing, in units of a square: x to the right, y downwards.

import type { Geometry, Layer, Layers, PictureLayer, Place } from "./types.ts";

export interface Spot {
  x: number;
  y: number;
  at: Place; // the place, or for a clue beside the board its index and how far it is from the board
  to?: Place; // the other side of a border
  side?: "left" | "right" | "top" | "bottom";
}

export interface Lie {
  scale: number;
  down: number;
  across: number;
}

const PLAIN: Lie = { scale: 1, down: 0, across: 0 };
export const TALL = Math.sqrt(3) / 2; // the height of a line of hexagons or triangles

/** How a picture of squares lies on the drawing: as the compiled model says, or as its size tells. */
export function lieOf(layer: PictureLayer, all: Layers, geometry: Geometry | null): Lie {
  if (layer.role === "pieces" || layer.lattice !== "square") return PLAIN;
  const known = geometry?.layers[layer.name];
  if (known) return known;
  const fits = (times: number, more: number) => layer.rows === times * all.rows + more && layer.cols === times * all.cols + more;
  if (fits(2, -1) && all.rows > 1) return { scale: 0.5, down: 0.5, across: 0.5 };
  if (fits(2, 1)) return { scale: 0.5, down: 0, across: 0 };
  if (fits(1, 1)) return { scale: 1, down: -0.5, across: -0.5 };
  return PLAIN;
}

/** How the squares of the board lie that tables, walls and margins speak of. */
export function boardLie(all: Layers, geometry: Geometry | null): Lie {
  const base = all.layers.find(
    (layer): layer is PictureLayer => layer.kind === "picture" && layer.lattice === "square" && layer.rows === all.rows && layer.cols === all.cols,
  );
  const lie = base ? lieOf(base, all, geometry) : PLAIN;
  return lie.scale === 1 ? lie : PLAIN;
}

/** The middle of a place of a picture. */
export function middle(layer: PictureLayer, [row, col]: Place, lie: Lie): { x: number; y: number } {
  if (layer.lattice === "hex") return { x: col / 2, y: row * TALL };
  if (layer.lattice === "triangle") return { x: col / 2, y: row * TALL };
  if (layer.lattice === "sticks") return { x: col / 2, y: row / 2 };
  return { x: lie.scale * col + lie.across, y: lie.scale * row + lie.down };
}

/** All places of a layer at which something may be drawn. */
export function spotsOf(layer: Layer, all: Layers, geometry: Geometry | null): Spot[] {
  const board = boardLie(all, geometry);
  const square = (row: number, col: number) => ({ x: col + board.across, y: row + board.down });
  const rows = Array.from({ length: all.rows }, (_, at) => at + 1);
  const cols = Array.from({ length: all.cols }, (_, at) => at + 1);
  if (layer.kind === "picture") {
    const lie = lieOf(layer, all, geometry);
    const found: Spot[] = [];
    const margin = layer.role === "pieces" ? 3 : 0; // room for more pieces
    for (let r = 1; r <= layer.rows + margin; r++)
      for (let c = 1; c <= layer.cols + 2 * margin; c++)
        if (layer.lattice === "square" || layer.cells[r - 1]?.[c - 1] != null) found.push({ ...middle(layer, [r, c], lie), at: [r, c] });
    for (const at of layer.off) found.push({ ...middle(layer, at, lie), at });
    return found;
  }
  if (layer.kind === "walls") {
    const across = rows.flatMap((r) => cols.slice(1).map((c): Spot => ({ ...half(square(r, c - 1), square(r, c)), at: [r, c - 1], to: [r, c] })));
    const down = rows.slice(1).flatMap((r) => cols.map((c): Spot => ({ ...half(square(r - 1, c), square(r, c)), at: [r - 1, c], to: [r, c] })));
    return [...across, ...down];
  }
  if (layer.kind === "margin")
    return layer.sides.flatMap(({ side, depth, clues }) =>
      clues.map((_, at): Spot => {
        const index = at + 1;
        const away = side === "left" || side === "top" ? -depth : (side === "right" ? all.cols : all.rows) + 1 + depth;
        return { ...(side === "left" || side === "right" ? square(index, away) : square(away, index)), at: [index, depth], side };
      }),
    );
  if (layer.kind === "spots" && layer.look === "corner")
    return rows.slice(0, -1).flatMap((r) => cols.slice(0, -1).map((c): Spot => ({ ...half(square(r, c), square(r + 1, c + 1)), at: [r, c] })));
  if (layer.kind === "spots" && layer.look === "margin") {
    const beside = (r: number, c: number): Spot => ({ ...square(r, c), at: [r, c] });
    const [high, wide] = [all.rows + 1, all.cols + 1];
    return [
      ...[0, high].flatMap((r) => [0, ...cols, wide].map((c) => beside(r, c))),
      ...rows.flatMap((r) => [0, wide].map((c) => beside(r, c))),
    ];
  }
  return rows.flatMap((r) => cols.map((c): Spot => ({ ...square(r, c), at: [r, c] })));
}

function half(a: { x: number; y: number }, b: { x: number; y: number }): { x: number; y: number } {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** The spot nearest to a point, if it is near enough. */
export function nearest(spots: Spot[], x: number, y: number, most = 0.75): Spot | null {
  let best: Spot | null = null;
  let least = most;
  for (const spot of spots) {
    const far = Math.hypot(spot.x - x, spot.y - y);
    if (far < least) [best, least] = [spot, far];
  }
  return best;
}

/** The next spot in a direction; the same one where there is none. */
export function beyond(spots: Spot[], from: Spot, [dx, dy]: [number, number]): Spot {
  const cost = (spot: Spot) => {
    const along = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const beside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    return along > 0.01 ? along + 3 * beside : Infinity;
  };
  const best = spots.reduce((one, other) => (cost(other) < cost(one) ? other : one), from);
  return cost(best) === Infinity ? from : best;
}

export function same(a: Spot, b: Spot): boolean {
  return a.x === b.x && a.y === b.y;
}
