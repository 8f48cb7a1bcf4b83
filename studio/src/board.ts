// A grid that is typed into, clicked and pasted into. Arrow keys move, signs are written, Backspace takes them away.

import { announce, button, fill, h } from "./dom.ts";
import { asPuzzle, asText, symbols } from "./grids.ts";
import type { Grid, Param } from "./types.ts";

const TYPING = 900; // milliseconds within which digits belong to one number
const OWN = "\0"; // in the list of what can be undone: the model’s own grid

/** A board for one param. `changed` hears the text of the whole grid, or null for the model's own. */
export class Board {
  readonly element: HTMLElement;
  private table = h("div", { class: "board", role: "grid" });
  private palette = h("div", { class: "palette", role: "toolbar" });
  private cells: HTMLElement[][] = [];
  private row = 0;
  private col = 0;
  private typed = "";
  private typedAt = 0;
  private before: string[] = [];
  private shape = "";

  constructor(
    private param: Param,
    private grid: Grid,
    private changed: (text: string | null) => void,
  ) {
    this.table.setAttribute("aria-label", `Board ${param.name}`);
    this.table.dataset.main = "";
    this.palette.setAttribute("aria-label", "What to write");
    this.table.addEventListener("keydown", (event) => this.key(event));
    this.table.addEventListener("pointerdown", (event) => this.point(event));
    this.table.addEventListener("focus", () => this.cells[this.row]?.[this.col]?.focus());
    this.table.addEventListener("paste", (event) => this.paste(event));
    this.table.addEventListener("copy", (event) => {
      event.clipboardData?.setData("text/plain", asText(this.grid));
      event.preventDefault();
    });
    this.element = h("div", { class: "board-holder" }, this.table, this.palette);
    this.show(param, grid);
  }

  /** Show the grid as the server reads it now. */
  show(param: Param, grid: Grid): void {
    this.param = param;
    this.grid = { ...grid, cells: grid.cells.map((row) => [...row]) };
    const shape = `${grid.rows}x${grid.cols}`;
    if (shape !== this.shape) this.make();
    this.shape = shape;
    const wide = Math.max(1, ...grid.cells.flat().map((cell) => [...cell].length));
    this.table.style.setProperty("--wide", String(wide));
    grid.cells.forEach((row, r) => row.forEach((_, c) => this.draw(r, c)));
    this.showPalette();
  }

  private make(): void {
    const { rows, cols } = this.grid;
    this.row = Math.min(this.row, rows - 1);
    this.col = Math.min(this.col, cols - 1);
    this.table.setAttribute("aria-rowcount", String(rows));
    this.table.setAttribute("aria-colcount", String(cols));
    this.table.style.setProperty("--cols", String(cols));
    this.table.classList.toggle("boxed", rows === cols && Number.isInteger(Math.sqrt(rows)) && rows > 3);
    const side = Math.sqrt(rows);
    this.cells = this.grid.cells.map((row, r) =>
      row.map((_, c) =>
        h("div", {
          role: "gridcell", class: "cell", tabindex: "-1", "data-row": r, "data-col": c,
          "data-right": (c + 1) % side === 0 && c + 1 < cols, "data-below": (r + 1) % side === 0 && r + 1 < rows,
        }), // prettier-ignore
      ),
    );
    fill(this.table, ...this.cells.map((row) => h("div", { role: "row", class: "board-row" }, ...row)));
    this.mark();
  }

  private draw(r: number, c: number): void {
    const value = this.grid.cells[r]![c]!;
    const cell = this.cells[r]![c]!;
    const shown = value === this.grid.blank ? "" : value;
    if (cell.textContent !== shown) cell.textContent = shown;
    cell.setAttribute("aria-label", `row ${r + 1}, column ${c + 1}: ${shown || "blank"}`);
  }

  private showPalette(): void {
    const signs = symbols(this.grid);
    const key = signs.join(" ");
    if (this.palette.dataset.signs === key && this.palette.childElementCount) return;
    this.palette.dataset.signs = key;
    const press = (sign: string, label: string) =>
      button(sign, () => (this.write(label, false), this.cells[this.row]?.[this.col]?.focus()), { "aria-label": `Write ${label}` });
    fill(
      this.palette,
      ...signs.map((sign) => press(sign, sign)),
      button("⌫", () => (this.write(this.grid.blank, false), this.cells[this.row]?.[this.col]?.focus()), { "aria-label": "Take away" }),
      button("Undo", () => this.undo(), { class: "quiet" }),
      button("Clear", () => this.clear(), { class: "quiet" }),
      button("Model’s own", () => this.change(null), { class: "quiet", title: "Go back to what the model says" }),
    );
  }

  private mark(): void {
    for (const cell of this.table.querySelectorAll(".cell[tabindex='0']")) (cell as HTMLElement).tabIndex = -1;
    const cell = this.cells[this.row]?.[this.col];
    if (cell) cell.tabIndex = 0;
  }

  private move(row: number, col: number): void {
    this.row = Math.max(0, Math.min(this.grid.rows - 1, row));
    this.col = Math.max(0, Math.min(this.grid.cols - 1, col));
    this.typed = "";
    this.mark();
    this.cells[this.row]![this.col]!.focus();
  }

  private point(event: PointerEvent): void {
    const cell = (event.target as HTMLElement).closest<HTMLElement>(".cell");
    if (!cell) return;
    event.preventDefault();
    this.move(Number(cell.dataset.row), Number(cell.dataset.col));
  }

  private key(event: KeyboardEvent): void {
    const command = event.ctrlKey || event.metaKey;
    const { row, col } = this;
    const { rows, cols } = this.grid;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
      Home: [command ? 0 : row, 0], End: [command ? rows - 1 : row, cols - 1], PageUp: [0, col], PageDown: [rows - 1, col],
      Enter: [row + 1, col],
    }; // prettier-ignore
    const to = steps[event.key];
    if (to && !event.altKey && (!command || event.key === "Home" || event.key === "End")) this.move(...to);
    else if (command && event.key.toLowerCase() === "z") this.undo();
    else if (command || event.altKey) return;
    else if (["Backspace", "Delete", " ", ".", "_"].includes(event.key)) this.write(this.grid.blank, false);
    else if ([...event.key].length === 1) this.write(event.key, true);
    else return;
    event.preventDefault();
  }

  /** Write a sign. Digits typed one after the other make a number where the board holds such numbers. */
  private write(sign: string, byKey: boolean): void {
    const now = performance.now();
    const joined = this.typed + sign;
    const goesOn = byKey && this.typed !== "" && now - this.typedAt < TYPING && /^[0-9]+$/.test(joined) && this.holds(joined);
    const value = goesOn ? joined : sign;
    this.typed = byKey && /^[0-9]$/.test(sign) ? value : "";
    this.typedAt = now;
    if (this.grid.cells[this.row]![this.col] === value) return;
    performance.mark("covr-key");
    this.grid.cells[this.row]![this.col] = value;
    this.draw(this.row, this.col);
    this.change(asText(this.grid));
  }

  private holds(number: string): boolean {
    return symbols(this.grid).includes(number);
  }

  private paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    event.preventDefault();
    this.take(text);
  }

  /** A text that was pasted or dropped: the whole grid, or what one cell is to hold. */
  take(text: string): void {
    const puzzle = asPuzzle(text, this.grid);
    if (puzzle !== null) this.change(puzzle);
    else if (text.trim() && !/\s/.test(text.trim())) this.write(text.trim(), false);
  }

  private clear(): void {
    this.change(asText({ ...this.grid, cells: this.grid.cells.map((row) => row.map(() => this.grid.blank)) }));
  }

  private undo(): void {
    const last = this.before.pop();
    if (last === undefined) return announce("Nothing to undo.");
    this.current = last;
    this.changed(last === OWN ? null : last);
  }

  private current = OWN;

  private change(text: string | null): void {
    this.before.push(this.param.given ?? this.current);
    this.current = text ?? OWN;
    this.changed(text);
  }
}


