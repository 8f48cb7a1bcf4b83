// The pane "step by step": the search, with the matrix, the tree so far, and the controls of a player.

import { button, fill, h } from "./dom.ts";
import { Slot } from "./jobs.ts";
import { light } from "./light.ts";
import { MatrixView } from "./matrixview.ts";
import { onPane, panel } from "./panes.ts";
import { question } from "./picture.ts";
import { Standing } from "./progress.ts";
import { find, standing as statesAfter } from "./replay.ts";
import { settings } from "./settings.ts";
import { stopButton } from "./stop.ts";
import { faulty, on } from "./store.ts";
import type { MatrixTold, Step } from "./types.ts";

const NODES = 500; // of the search that are shown: more are no picture any more

const slot = new Slot();
const matrixSlot = new Slot();
const standing = new Standing();
let steps: Step[] = [];
let matrix: MatrixTold | null = null;
let at = -1;
let playing: ReturnType<typeof setInterval> | undefined;
let view: MatrixView;
let tree: HTMLElement;
let lines: HTMLElement[] = [];
let words: HTMLElement;
let track: HTMLInputElement;
let speed: HTMLInputElement;
let depth: HTMLInputElement;
let play: HTMLButtonElement;
let controls: HTMLElement;
let body: HTMLElement;

export function makeDance(): void {
  view = new MatrixView((row) => void light(matrix?.options[row] ? [matrix.options[row].choice] : taken()));
  tree = h("ol", { class: "tree", "aria-label": "The search so far" });
  tree.addEventListener("click", (event) => {
    const line = (event.target as Element).closest<HTMLElement>("li");
    if (line) to(Number(line.dataset.step));
  });
  words = h("p", { class: "step-words", role: "status", "aria-live": "polite", id: "dance-words" });
  track = h("input", { type: "range", min: "0", value: "0", "aria-label": "Step", id: "dance-track" });
  track.addEventListener("input", () => (pause(), to(Number(track.value))));
  speed = h("input", { type: "range", min: "1", max: "30", value: settings.read("speed") || "4", id: "dance-speed" });
  speed.addEventListener("input", () => {
    settings.write("speed", speed.value);
    if (playing) start();
  });
  depth = h("input", { type: "number", min: "0", max: "99", value: "2", id: "dance-depth", "aria-label": "Depth" });
  play = button("Play", () => (playing ? pause() : start()), { id: "dance-play", class: "primary" });
  const by = (label: string, name: string, run: () => void) => button(label, () => (pause(), run()), { "aria-label": name, title: name });
  controls = h(
    "div", { class: "tools", hidden: true },
    by("|◀", "To the beginning", () => to(0)), by("◀", "One step back", () => to(at - 1)), play,
    by("▶", "One step on", () => to(at + 1)), by("▶|", "To the end", () => to(Infinity)),
    by("Answer", "Answer: to the next one", () => to(find(steps, at, (step) => step.kind === "answer"))),
    by("To depth", "To depth: the next step of it", () => to(find(steps, at, (step) => step.kind === "take" && step.depth === Number(depth.value)))),
    depth, h("span", { class: "grow" }), h("label", { for: "dance-speed", class: "faint" }, "Speed"), speed,
  ); // prettier-ignore
  body = h("div", { class: "dance-body", hidden: true }, tree, view.element);
  const about = h("span", { class: "faint about" }, "For small problems: each choice, what it covers and what it removes");
  const press = button("Show the search", ask, { class: "primary", id: "ask-dance", "data-main": "" });
  for (const news of ["analysis", "pending"] as const) on(news, () => (press.disabled = faulty()));
  panel("dance").append(
    h(
      "div", { class: "tools" }, press,
      standing.element, about,
      h("span", { class: "grow" }), stopButton(slot),
    ), // prettier-ignore
    controls,
    h("div", { class: "track" }, track),
    words,
    body,
  );
  panel("dance").addEventListener("keydown", keys);
  onPane("dance", () => view.later(), leave);
  on("model", clear);
  on("meaning", () => steps.length && standing.stale());
  track.hidden = true;
}

function clear(): void {
  slot.drop();
  matrixSlot.drop();
  pause();
  steps = [];
  matrix = null;
  lines = [];
  at = -1;
  controls.hidden = body.hidden = track.hidden = true;
  fill(tree);
  fill(words);
  standing.end({ status: "", words: "" });
}

function ask(): void {
  if (faulty()) return;
  clear();
  standing.fresh();
  standing.begin("Searching…");
  void matrixSlot.ask(question("matrix"), {
    matrix: (told) => {
      matrix = told;
      view.show(told);
      if (steps.length) to(Math.max(0, at));
    },
  });
  void slot.ask(question("dance", { nodes: NODES }), {
    steps: ({ steps: more }) => add(more),
    progress: (now) => standing.progress(now),
    note: ({ text }) => fill(words, text),
    fault: ({ faults }) => fill(words, faults[0]?.message ?? ""),
    end: (end) => {
      standing.end(end, end.words && end.words[0]!.toUpperCase() + end.words.slice(1) + ".");
      performance.mark("covr-dance");
    },
  });
}

/** More steps of the search, behind those that are known. */
function add(more: Step[]): void {
  const from = steps.length;
  steps.push(...more);
  const added = more.map((step, number) => {
    const line = h("li", { "data-step": from + number, "data-what": step.kind, class: "future" }, step.words);
    line.style.setProperty("--depth", String(Math.min(step.depth, 24)));
    return line;
  });
  lines.push(...added);
  tree.append(...added);
  track.max = String(steps.length - 1);
  if (from) return;
  controls.hidden = body.hidden = track.hidden = false;
  to(0);
}

/** The choices that are taken after the step on show. */
function taken(): string[] {
  const { options } = statesAfter(steps, at);
  return [...options].filter(([, state]) => state === "taken").flatMap(([option]) => matrix?.options[option]?.choice ?? []);
}

/** Show how the search stands after a step. */
function to(step: number): void {
  if (!steps.length) return;
  const next = Math.max(0, Math.min(steps.length - 1, step));
  const [low, high] = next > at ? [at + 1, next] : [next + 1, at];
  for (let line = low; line <= high; line++) lines[line]!.classList.toggle("future", next <= at);
  lines[at]?.removeAttribute("aria-current");
  at = next;
  const line = lines[at]!;
  line.setAttribute("aria-current", "step");
  tree.scrollTop = Math.max(0, line.offsetTop - tree.clientHeight / 2);
  const now = steps[at]!;
  view.step(statesAfter(steps, at), now.option ?? -1);
  track.value = String(at);
  fill(words, `${at + 1} of ${steps.length}: ${now.words}`);
  void light(taken());
  if (at === steps.length - 1) pause();
}

function start(): void {
  clearInterval(playing);
  if (at >= steps.length - 1) to(0);
  playing = setInterval(() => to(at + 1), 1000 / Number(speed.value));
  play.textContent = "Pause";
  words.setAttribute("aria-live", "off"); // a film is not read out line by line
}

/** Out of sight: the cells of a picture that the next pane draws are not lit. */
function leave(): void {
  pause();
  void light([]);
}

function pause(): void {
  clearInterval(playing);
  playing = undefined;
  play.textContent = "Play";
  words.setAttribute("aria-live", "polite");
}

/** The keys of a player, where no field is being typed into. */
function keys(event: KeyboardEvent): void {
  if ((event.target as Element).matches("input, select") || !steps.length) return;
  const run: Record<string, () => void> = {
    ArrowRight: () => (pause(), to(at + 1)), ArrowLeft: () => (pause(), to(at - 1)), Home: () => to(0), End: () => to(Infinity),
  }; // prettier-ignore
  if ((event.target as Element).closest(".matrix-scroll") || !run[event.key]) return;
  event.preventDefault();
  run[event.key]!();
}
