// A drawing keeps its place on the page while somebody points at it.
//
// A list of faults that grows below it, or a palette above it, would move it between the moment in which somebody aims and
// the one in which he clicks, and the click would go to another square. It is fitted anew when the pointer is gone.

const TOUCHED = 1500; // milliseconds after a touch in which the next one is likely
const PADDING = 8; // pixels around the drawing

interface Lie {
  scale: number; // pixels of the page for a unit of the drawing
  left: number; // where the drawing's coordinate 0 is on the page
  top: number;
}

export class Still {
  private lie: Lie | null = null;
  private over = false;
  private until = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** stage: what the drawing is placed in, which must be a positioned element.  largest: pixels for a unit. */
  constructor(
    private readonly stage: HTMLElement,
    private readonly largest: number,
  ) {
    stage.addEventListener("pointerenter", (event) => (this.over = event.pointerType !== "touch"));
    stage.addEventListener("pointerleave", () => this.release());
    stage.addEventListener("pointerdown", (event) => event.pointerType === "touch" && this.touched());
    stage.addEventListener("pointermove", (event) => event.pointerType === "touch" && this.touched());
    addEventListener("resize", () => {
      this.forget();
      this.place();
    });
    new ResizeObserver(() => this.place()).observe(stage);
  }

  private touched(): void {
    this.until = performance.now() + TOUCHED;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.place(), TOUCHED + 1);
  }

  private release(): void {
    this.over = false;
    this.place();
  }

  /** What comes now is another drawing: it is fitted anew. */
  forget(): void {
    this.lie = null;
  }

  /** Put the drawing where it was or, if nobody points at it, where it fits best. */
  place(): void {
    const svg = this.stage.querySelector("svg");
    const { clientWidth: wide, clientHeight: high } = this.stage;
    if (!svg || !wide || !high) return;
    const box = this.stage.getBoundingClientRect();
    const view = svg.viewBox.baseVal;
    const held = this.over || performance.now() < this.until;
    if (!held || !this.lie) {
      const scale = Math.min(this.largest, (wide - 2 * PADDING) / view.width, (high - 2 * PADDING) / view.height);
      this.lie = {
        scale,
        left: box.left + (wide - view.width * scale) / 2 - view.x * scale,
        top: box.top + (high - view.height * scale) / 2 - view.y * scale,
      };
    }
    const { scale, left, top } = this.lie;
    svg.style.width = `${view.width * scale}px`;
    svg.style.height = `${view.height * scale}px`;
    svg.style.left = `${left + view.x * scale - box.left}px`;
    svg.style.top = `${top + view.y * scale - box.top}px`;
  }

  /** A point of the page in the drawing's coordinates. What moves the stage does not move them while somebody points there. */
  at(point: { clientX: number; clientY: number }): { x: number; y: number } | null {
    return this.lie && { x: (point.clientX - this.lie.left) / this.lie.scale, y: (point.clientY - this.lie.top) / this.lie.scale };
  }
}
