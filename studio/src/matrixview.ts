// A matrix drawn on a canvas: options are rows, items are columns. Only what is in sight is drawn, so size costs nothing.

import { h } from "./dom.ts";

export interface Matrix {
  items: { name: string; primary: boolean; size?: number }[];
  options: { label: string; items: number[] }[];
}

/** How rows and columns stand in a search: by index, a name that `colours` knows. */
export interface States {
  items: Map<number, "covered" | "chosen">;
  options: Map<number, "removed" | "taken" | "tried">;
}

const CELL = 16; // pixels
const LONGEST_LABEL = 260;
const HIGHEST_HEAD = 150; // pixels for the names of the items

export class MatrixView {
  readonly element: HTMLElement;
  private canvas = h("canvas");
  private spacer = h("div", { class: "spacer" });
  private scroller: HTMLElement;
  private matrix: Matrix = { items: [], options: [] };
  private states: States = { items: new Map(), options: new Map() };
  private row = -1;
  private col = -1;
  private left = 100; // pixels for the labels of the options
  private head = 100; // pixels for the names of the items
  private asked = false;

  constructor(private lit: (option: number) => void) {
    this.scroller = h("div", {
      class: "matrix-scroll", tabindex: "0", role: "application", "aria-roledescription": "matrix",
      "aria-label": "Matrix: arrow keys move from option to option",
    }, this.canvas, this.spacer); // prettier-ignore
    this.element = h("div", { class: "matrix-view" }, this.scroller);
    this.scroller.addEventListener("scroll", () => this.later());
    this.scroller.addEventListener("pointermove", (event) => this.point(event));
    this.scroller.addEventListener("pointerleave", () => this.light(-1, -1));
    this.scroller.addEventListener("pointerdown", (event) => this.point(event));
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.later()).observe(this.scroller);
  }

  show(matrix: Matrix, states: States = { items: new Map(), options: new Map() }): void {
    this.matrix = matrix;
    this.states = states;
    this.row = this.col = -1;
    const pen = this.canvas.getContext("2d")!;
    pen.font = FONT;
    const widest = matrix.options.reduce((most, { label }) => Math.max(most, label.length), 0);
    this.left = Math.min(LONGEST_LABEL, Math.max(60, widest * pen.measureText("0").width + 16));
    const longest = matrix.items.reduce((most, { name }) => Math.max(most, pen.measureText(name).width), 0);
    this.head = Math.min(HIGHEST_HEAD, Math.max(30, longest + 14));
    this.spacer.style.width = `${this.left + matrix.items.length * CELL + 24}px`;
    this.spacer.style.height = `${this.head + matrix.options.length * CELL + 8}px`;
    this.later();
  }

  /** Another state of the same matrix. Brings the row in question into sight. */
  step(states: States, row: number): void {
    this.states = states;
    if (row >= 0) this.reveal(row);
    this.later();
  }

  later(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  private reveal(row: number): void {
    const { scrollTop, clientHeight } = this.scroller;
    const top = row * CELL;
    if (top < scrollTop || top > scrollTop + clientHeight - this.head - 2 * CELL) this.scroller.scrollTop = Math.max(0, top - clientHeight / 3);
  }

  private point(event: PointerEvent): void {
    const box = this.scroller.getBoundingClientRect();
    const x = event.clientX - box.left - this.left + this.scroller.scrollLeft;
    const y = event.clientY - box.top - this.head + this.scroller.scrollTop;
    const inside = event.clientY - box.top > this.head;
    const row = inside && y < this.matrix.options.length * CELL ? Math.floor(y / CELL) : -1;
    const col = event.clientX - box.left > this.left && x < this.matrix.items.length * CELL ? Math.floor(x / CELL) : -1;
    this.light(row, col);
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((this.scroller.clientHeight - this.head) / CELL) - 1);
    const to = {
      ArrowDown: this.row + 1, ArrowUp: this.row - 1, PageDown: this.row + page, PageUp: this.row - page, Home: 0, End: this.matrix.options.length - 1,
    }[event.key]; // prettier-ignore
    if (to === undefined) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(this.matrix.options.length - 1, to));
    this.reveal(row);
    this.light(row, -1);
  }

  private light(row: number, col: number): void {
    if (row === this.row && col === this.col) return;
    this.col = col;
    if (row !== this.row) {
      this.row = row;
      this.lit(row);
    }
    this.later();
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height, scrollLeft, scrollTop } = this.scroller;
    if (!width || !height) return;
    const sharp = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * sharp) || this.canvas.height !== Math.round(height * sharp)) {
      this.canvas.width = Math.round(width * sharp);
      this.canvas.height = Math.round(height * sharp);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
      this.spacer.style.marginTop = `${-height}px`;
    }
    const pen = this.canvas.getContext("2d")!;
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = FONT;
    pen.textBaseline = "middle";
    const look = getComputedStyle(this.element);
    const colour = (name: string) => look.getPropertyValue(`--${name}`).trim();
    const rows = range(scrollTop, height - this.head, this.matrix.options.length);
    const cols = range(scrollLeft, width - this.left, this.matrix.items.length);
    const x = (col: number) => this.left + col * CELL - scrollLeft;
    const y = (row: number) => this.head + row * CELL - scrollTop;
    this.bands(pen, colour, rows, cols, x, y, width, height);
    this.dots(pen, colour, rows, cols, x, y);
    this.labels(pen, colour, rows, y, width);
    this.heads(pen, colour, cols, x, width);
  }

  /** Stripes behind rows and columns: what is covered, what is removed, and what the pointer is on. */
  private bands(pen: Pen, colour: Colour, rows: Range, cols: Range, x: Place, y: Place, width: number, height: number): void {
    for (let col = cols.from; col < cols.to; col++) {
      const state = this.states.items.get(col);
      if (!state && col !== this.col) continue;
      pen.fillStyle = colour(col === this.col ? "hover" : state === "chosen" ? "chosen" : "covered");
      pen.fillRect(x(col), this.head, CELL, Math.min(height - this.head, y(this.matrix.options.length) - this.head));
    }
    for (let row = rows.from; row < rows.to; row++) {
      const state = this.states.options.get(row);
      if (!state && row !== this.row) continue;
      pen.fillStyle = colour(row === this.row ? "hover" : state === "removed" ? "removed" : "taken");
      pen.fillRect(0, y(row), width, CELL);
    }
  }

  private dots(pen: Pen, colour: Colour, rows: Range, cols: Range, x: Place, y: Place): void {
    const [plain, faint, taken] = [colour("ink"), colour("ghost"), colour("accent")];
    pen.save();
    pen.beginPath();
    pen.rect(this.left, this.head, 1e6, 1e6);
    pen.clip();
    for (let row = rows.from; row < rows.to; row++) {
      const state = this.states.options.get(row);
      const gone = state === "removed";
      for (const col of this.matrix.options[row]!.items) {
        if (col < cols.from || col >= cols.to) continue;
        pen.fillStyle = state === "taken" || state === "tried" ? taken : gone || this.states.items.get(col) === "covered" ? faint : plain;
        pen.fillRect(x(col) + 4, y(row) + 4, CELL - 8, CELL - 8);
      }
    }
    pen.restore();
  }

  private labels(pen: Pen, colour: Colour, rows: Range, y: Place, width: number): void {
    pen.save();
    pen.beginPath();
    pen.rect(0, this.head, width, 1e6);
    pen.clip();
    for (let row = rows.from; row < rows.to; row++) {
      const state = this.states.options.get(row);
      pen.fillStyle = colour(row === this.row ? "hover-solid" : state === "taken" || state === "tried" ? "taken-solid" : "paper");
      pen.fillRect(0, y(row), this.left - 4, CELL);
      pen.fillStyle = colour(state === "removed" ? "faint" : "ink");
      pen.fillText(fitted(pen, this.matrix.options[row]!.label, this.left - 14), 6, y(row) + CELL / 2);
    }
    pen.restore();
  }

  private heads(pen: Pen, colour: Colour, cols: Range, x: Place, width: number): void {
    pen.fillStyle = colour("paper");
    pen.fillRect(0, 0, width, this.head);
    pen.save();
    pen.beginPath();
    pen.rect(this.left, 0, width, this.head);
    pen.clip();
    for (let col = cols.from; col < cols.to; col++) {
      const { name, primary } = this.matrix.items[col]!;
      pen.save();
      pen.translate(x(col) + CELL / 2, this.head - 5);
      pen.rotate(-Math.PI / 2);
      pen.fillStyle = colour(this.states.items.get(col) === "covered" || !primary ? "faint" : "ink");
      if (col === this.col) pen.fillStyle = colour("accent");
      pen.fillText(fitted(pen, name, this.head - 12), 0, 0);
      pen.restore();
    }
    pen.restore();
    pen.strokeStyle = colour("line");
    pen.beginPath();
    pen.moveTo(0, this.head - 0.5);
    pen.lineTo(width, this.head - 0.5);
    pen.stroke();
  }
}

const FONT = "12px system-ui, sans-serif";
type Pen = CanvasRenderingContext2D;
type Colour = (name: string) => string;
type Place = (index: number) => number;
interface Range {
  from: number;
  to: number;
}

function range(scrolled: number, room: number, number: number): Range {
  return { from: Math.max(0, Math.floor(scrolled / CELL)), to: Math.min(number, Math.ceil((scrolled + room) / CELL) + 1) };
}

function fitted(pen: Pen, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text;
  let length = Math.max(1, Math.floor((text.length * room) / pen.measureText(text).width));
  while (length > 1 && pen.measureText(`${text.slice(0, length)}…`).width > room) length--;
  return `${text.slice(0, length)}…`;
}
