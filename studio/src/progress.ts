// How a question stands: a bar that shows only what the engine knows, and words.

import { fill, h } from "./dom.ts";
import type { End, Progress } from "./types.ts";

export class Standing {
  readonly element: HTMLElement;
  private bar = h("div", { class: "bar", role: "progressbar", "aria-label": "How much of the search is done", hidden: true }, h("i"));
  private words = h("p", { class: "words", role: "status", "aria-live": "polite" });
  private figures = h("p", { class: "figures faint" });
  private clock: ReturnType<typeof setInterval> | undefined;
  private began: number | null = null; // nothing is said of the time of what never began to be shown

  constructor() {
    this.element = h("div", { class: "standing" }, this.words, this.bar, this.figures);
  }

  begin(words: string): void {
    clearInterval(this.clock);
    this.began = performance.now();
    this.element.dataset.state = "busy";
    fill(this.words, words);
    fill(this.figures);
    this.bar.hidden = false;
    this.share(null);
    // Until the first progress arrives, and where there is none, the time that has passed is what can be said.
    this.clock = setInterval(() => this.figures.childNodes.length || fill(this.figures, time(this.passed())), 1000);
  }

  progress(now: Progress): void {
    if (this.element.dataset.state !== "busy") return; // a last report of a search that has paused
    this.share(now.fraction ?? null);
    const parts = [
      now.words,
      now.fraction != null && `${percent(now.fraction)} of the tree`,
      now.answers != null && `${grouped(now.answers)} ${String(now.answers) === "1" ? "answer" : "answers"}`,
      now.best != null && `best ${now.best}${now.bound != null ? `, no better than ${now.bound}` : ""}`,
      now.nodes != null && `${grouped(now.nodes)} nodes`,
      time(now.seconds ?? this.passed()),
      now.left != null && `about ${time(now.left)} left`,
    ];
    fill(this.figures, parts.filter(Boolean).join(" · "));
    // All of this runs through a status line that screen readers would otherwise hear each second.
  }

  end(end: End, words = end.words): void {
    clearInterval(this.clock);
    this.element.dataset.state = end.status;
    this.bar.hidden = true;
    fill(this.words, words);
    const timed = words && this.began !== null && end.status !== "paused";
    fill(this.figures, timed ? time(this.passed()) : "");
    if (end.status !== "paused") this.began = null;
  }

  /** A word behind the end: that the model has changed since. */
  stale(): void {
    if (!this.words.textContent || this.element.dataset.stale) return;
    this.element.dataset.stale = "yes";
  }

  fresh(): void {
    delete this.element.dataset.stale;
  }

  private passed(): number {
    return (performance.now() - (this.began ?? performance.now())) / 1000;
  }

  private share(fraction: number | null): void {
    const inner = this.bar.firstElementChild as HTMLElement;
    this.bar.classList.toggle("unknown", fraction === null);
    inner.style.width = fraction === null ? "" : `${Math.max(0, Math.min(1, fraction)) * 100}%`;
    if (fraction === null) this.bar.removeAttribute("aria-valuenow");
    else this.bar.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
  }
}

function percent(fraction: number): string {
  const value = fraction * 100;
  if (value > 0 && value < 0.001) return "less than 0.001 %";
  return `${value > 0 && value < 1 ? value.toPrecision(1) : Math.floor(value)} %`;
}

/** A number with its digits in groups of three; numbers that are texts, because they are large, as well. */
export function grouped(number: number | string): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export function time(seconds: number): string {
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  if (seconds < 86_400 * 730) return `${Math.floor(seconds / 86_400)} days`;
  return `${grouped(Math.floor(seconds / (86_400 * 365)))} years`;
}
