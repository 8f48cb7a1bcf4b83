// What a solver notes beside answers: small signs in the corner and in the centre of places, colours, and free lines.

import { cellsOf, overlay } from "./board_points.ts";
import { s } from "./canvas.ts";

export type Kind = "corner" | "centre" | "colour" | "line";
export const KINDS: [Kind | "answer", string, string][] = [
  ["answer", "Answer", "What is typed or clicked is the answer"],
  ["corner", "Corner", "Small signs in the corner (Shift with a digit)"],
  ["centre", "Centre", "Small signs in the centre"],
  ["colour", "Colour", "Colours"],
  ["line", "Line", "Lines, by dragging from place to place"],
];
export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "grey"];

export interface Note {
  corner?: string;
  centre?: string;
  colour?: string;
}
export interface Notes {
  at: Record<string, Note>; // by place, such as 0:1,3
  lines: string[]; // two places each
}
export const NONE: Notes = { at: {}, lines: [] };

/** What somebody has marked on a board by hand: choices that are taken or crossed out, and notes. */
export interface Marks {
  taken: string[];
  out: string[];
  notes: Notes;
}

/** Notes with a sign or a colour at some places; without it where all of them have it. */
export function noted(notes: Notes, places: string[], kind: Exclude<Kind, "line">, sign: string): Notes {
  const there = (at: string) => notes.at[at]?.[kind] ?? "";
  const all = places.every((at) => (kind === "colour" ? there(at) === sign : there(at).includes(sign)));
  const now = (at: string) => {
    if (kind === "colour") return all ? "" : sign;
    const rest = [...there(at)].filter((one) => one !== sign);
    return (all ? rest : [...rest, sign].sort()).join("");
  };
  return { ...notes, at: { ...notes.at, ...Object.fromEntries(places.map((at) => [at, { ...notes.at[at], [kind]: now(at) }])) } };
}

/** Notes with a line between two places, or without it. */
export function lined(notes: Notes, key: string, on: boolean): Notes {
  const rest = notes.lines.filter((one) => one !== key);
  return { ...notes, lines: on ? [...rest, key] : rest };
}

/** Notes without what stands at some places; null where nothing does. */
export function cleared(notes: Notes, places: string[]): Notes | null {
  const at = Object.fromEntries(Object.entries(notes.at).filter(([place]) => !places.includes(place)));
  return Object.keys(at).length < Object.keys(notes.at).length ? { ...notes, at } : null;
}

/** What is noted at a place, in words. */
export function noteWords(notes: Notes, at: string): string[] {
  const { corner, centre, colour } = notes.at[at] ?? {};
  return [corner && `corner ${[...corner].join(" ")}`, centre && `centre ${[...centre].join(" ")}`, colour].filter((words): words is string => Boolean(words));
}

/** Draw the notes over the picture, but for the signs of places that are answered. */
export function showNotes(notes: Notes, answered: (at: string) => boolean): void {
  const cells = cellsOf(0);
  const there = (at: string) => cells.has(at.split(":")[1]!); // what was noted on a larger board is kept, and not drawn
  const spot = (at: string) => {
    const [y, x] = at.split(":")[1]!.split(",").map(Number) as [number, number];
    return { x, y, at };
  };
  const spots = Object.keys(notes.at).filter(there).map(spot);
  const drawn = (name: string, some: typeof spots, make: (note: Note, x: number, y: number, side: number) => SVGElement) => {
    const rest = [...some];
    overlay(name, some, (x, y, side) => make(notes.at[rest.shift()!.at]!, x, y, side));
  };
  drawn("colour", spots.filter(({ at }) => notes.at[at]!.colour), ({ colour }, x, y, side) =>
    s("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, class: `noted ${colour}` })); // prettier-ignore
  const words = (kind: "corner" | "centre", size: number, dx: number, dy: number) =>
    drawn(kind, spots.filter(({ at }) => notes.at[at]![kind] && !answered(at)), (note, x, y, side) => {
      const text = note[kind]!;
      const fitted = side * Math.min(size, 0.9 / ([...text].length * 0.6));
      return s("text", { x: x + dx * side, y: y + dy * side, class: "noted", "font-size": fitted, "text-anchor": dx ? "start" : "middle", "dominant-baseline": "central" }, text);
    }); // prettier-ignore
  words("corner", 0.24, -0.42, -0.32);
  words("centre", 0.26, 0, 0);
  const shown = notes.lines.map((key) => key.split(" ")).filter((places) => places.every(there));
  const ends = shown.map((places) => places.map(spot) as [ReturnType<typeof spot>, ReturnType<typeof spot>]);
  overlay("lines", ends.map(([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })), (x, y, side) => {
    const [a, b] = ends.shift()!;
    const [dx, dy] = [((b.x - a.x) / 2) * side, ((b.y - a.y) / 2) * side];
    return s("path", { d: `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`, class: "noted" });
  }); // prettier-ignore
}
