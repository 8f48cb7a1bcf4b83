// A grid as text, as the language's reader `grid` takes it, and as rows of cells.

import type { Grid } from "./types.ts";

/** Rows as text: single characters side by side; otherwise words in columns. */
export function asText(grid: Grid): string {
  const single = grid.cells.every((row) => row.every((cell) => [...cell].length === 1));
  if (single) return grid.cells.map((row) => row.join("")).join("\n");
  const wide = Math.max(...grid.cells.flat().map((cell) => cell.length));
  return grid.cells.map((row) => row.map((cell) => cell.padStart(wide)).join(" ")).join("\n");
}

/**
 * What a user pastes, if it is not meant for a single cell: a puzzle in any usual layout. Frames and rulers are dropped;
 * 0, *, ? and blanks of other programs become blanks where the grid has no such values of its own.
 */
export function asPuzzle(pasted: string, grid: Grid): string | null {
  const text = pasted.replace(/\r/g, "").replace(/^\n+|\n+$/g, "");
  const places = grid.rows * grid.cols;
  if (places > 1 && [...text.replace(/\s/g, "")].length < Math.min(places, 4)) return null;
  const framed = /[|+│┃║─━═┌└├╔╚╠]/.test(text);
  const ruled = /^[\s|+]*[-=]{2,}[\s|+=-]*$/; // a line between rows, in programs that draw frames
  const lines = text.split("\n").filter((line) => !(framed && ruled.test(line)));
  const bare = lines.join("\n").replace(/[|+│┃║─━═┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬]/g, " ");
  const flat = [...bare.replace(/\s/g, "")];
  const words = bare.split(/\s+/).filter(Boolean);
  const cells = flat.length === places ? flat : words.length === places ? words : null;
  if (!cells) return text; // of another shape: the reader decides, and says what is wrong
  const numbers = grid.cells.flat().every((cell) => cell === grid.blank || /^-?[0-9]+$/.test(cell));
  const blanks = new Set(["_", ...(numbers ? ["*", "?", "-", "x", "X"] : []), ...(zeroIsBlank(grid, cells) ? ["0"] : [])]);
  const clean = cells.map((cell) => (blanks.has(cell) ? grid.blank : cell));
  const rows = Array.from({ length: grid.rows }, (_, row) => clean.slice(row * grid.cols, (row + 1) * grid.cols));
  return asText({ ...grid, cells: rows });
}

/** Whether 0 stands for nothing: where it is the only sign that could, and the grid has no 0 of its own. */
function zeroIsBlank(grid: Grid, cells: string[]): boolean {
  return !cells.includes(grid.blank) && !grid.cells.flat().includes("0");
}

/** What may stand in a cell, as far as the cells tell: every number up to the largest (or the side), or every word. */
export function symbols(grid: Grid): string[] {
  const found = new Set(grid.cells.flat().filter((cell) => cell !== grid.blank));
  const numbers = [...found].every((cell) => /^[0-9]+$/.test(cell));
  if (!numbers) return [...found].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })).slice(0, 40);
  const least = found.has("0") ? 0 : 1;
  const square = grid.rows === grid.cols ? grid.rows : 4;
  const most = Math.min(Math.max(...[...found].map(Number), found.size ? 0 : square, isLatin(grid, found) ? grid.rows : 0), 40);
  return Array.from({ length: most - least + 1 }, (_, at) => String(at + least));
}

/** Whether the numbers look like those of a square in which each row holds 1 to n. */
function isLatin(grid: Grid, found: Set<string>): boolean {
  return grid.rows === grid.cols && [...found].every((cell) => Number(cell) >= 1 && Number(cell) <= grid.rows);
}
