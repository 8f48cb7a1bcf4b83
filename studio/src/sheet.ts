// The contact sheet: thousands of small pictures that never stop the page.
//
// A tile is an empty box of known size until it comes near the window; only then is its picture made, and it is let go
// when the tile is far away again. New tiles are added a few at a time, between two frames.

import { h } from "./dom.ts";
import { asAddress, sizeOf } from "./pictures.ts";
import type { Answer } from "./types.ts";

const PER_FRAME = 20; // tiles added between two frames
const MARGIN = "600px"; // how near a tile comes before it is drawn

type Tile = Pick<Answer, "number" | "svg" | "text">;

export class Sheet {
  readonly element = h("div", { class: "sheet", role: "list", "aria-label": "All answers" });
  private waiting: Tile[] = [];
  private tiles = new Map<Element, Tile>();
  private asked = false;
  private observer: IntersectionObserver;
  private chosen: HTMLElement | null = null;

  constructor(private pick: (number: number) => void) {
    this.observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.seen(entry)), { rootMargin: MARGIN });
    this.element.addEventListener("click", (event) => {
      const button = (event.target as Element).closest(".tile");
      const tile = button && this.tiles.get(button);
      if (tile) this.pick(tile.number);
    });
    this.element.addEventListener("keydown", (event) => this.along(event));
  }

  get size(): number {
    return this.tiles.size + this.waiting.length;
  }

  clear(): void {
    for (const element of this.tiles.keys()) this.hide(element);
    this.observer.disconnect();
    this.tiles.clear();
    this.waiting = [];
    this.chosen = null;
    this.element.replaceChildren();
  }

  add(tile: Tile): void {
    if (this.size === 0) {
      const { width, height } = sizeOf(tile.svg);
      this.element.style.setProperty("--shape", String(width / height));
    }
    this.waiting.push(tile);
    this.later();
  }

  /** Mark the tile whose answer is shown large. */
  choose(number: number): void {
    this.chosen?.removeAttribute("aria-current");
    this.chosen = (this.element.children[number - 1]?.firstElementChild as HTMLElement) ?? null;
    this.chosen?.setAttribute("aria-current", "true");
  }

  private later(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const batch = document.createDocumentFragment();
      for (const tile of this.waiting.splice(0, PER_FRAME)) {
        const first = this.tiles.size === 0;
        const button = h(
          "button",
          { type: "button", class: "tile", tabindex: first ? "0" : "-1", "aria-label": `Answer ${tile.number}` },
          h("span", {}, String(tile.number)),
        );
        this.tiles.set(button, tile);
        batch.append(h("div", { role: "listitem" }, button));
        this.observer.observe(button);
      }
      this.element.append(batch);
      if (this.waiting.length) this.later();
    });
  }

  private seen(entry: IntersectionObserverEntry): void {
    const tile = this.tiles.get(entry.target);
    if (!tile) return;
    const image = entry.target.querySelector("img");
    if (entry.isIntersecting && !image) {
      if (!tile.svg) return; // too large to be drawn: the number stands for it
      const address = asAddress(tile.svg);
      entry.target.prepend(h("img", { src: address, alt: "", decoding: "async", draggable: "false" }));
    } else if (!entry.isIntersecting && image) this.hide(entry.target);
  }

  private hide(element: Element): void {
    const image = element.querySelector("img");
    if (!image) return;
    const letGo = () => URL.revokeObjectURL(image.src);
    if (image.complete) letGo();
    else image.addEventListener("load", letGo, { once: true }); // its address is still being read
    image.remove();
  }

  private along(event: KeyboardEvent): void {
    const here = (event.target as Element).closest(".tile");
    if (!here) return;
    const items = [...this.element.children];
    const at = items.indexOf(here.parentElement!);
    const across = Math.max(1, items.findIndex((item) => (item as HTMLElement).offsetTop > (items[0] as HTMLElement).offsetTop));
    const to = {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: items.length - 1,
    }[event.key]; // prettier-ignore
    const next = to === undefined ? null : (items[to]?.firstElementChild as HTMLElement | undefined);
    if (!next) return;
    event.preventDefault();
    (here as HTMLElement).tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
