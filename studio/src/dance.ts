// The dance: the search step by step, with the matrix, the tree so far, and the controls of a player.

import { button, fill, h } from "./dom.ts";
import { Slot } from "./jobs.ts";
import { light } from "./light.ts";
import { type Matrix, MatrixView } from "./matrixview.ts";
import { onPane, panel } from "./panes.ts";
import { question, showPicture } from "./picture.ts";
import { Standing } from "./progress.ts";
import { find, standing as statesAfter, type Step } from "./replay.ts";
import { settings } from "./settings.ts";
import { faulty, on } from "./store.ts";

interface Search extends Matrix {
  steps: Step[];
  cut?: boolean;
}

const slot = new Slot();
const standing = new Standing();
let search: Search | null = null;
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
  view = new MatrixView((row) => light(search?.options[row]?.at));
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
  depth = h("input", { type: "number", min: "0", max: "99", value: "2", id: "dance-depth" });
  play = button("Play", () => (playing ? pause() : start()), { id: "dance-play", class: "primary" });
  const by = (label: string, name: string, run: () => void) => button(label, () => (pause(), run()), { "aria-label": name, title: name });
  const steps = () => search?.steps ?? [];
  controls = h(
    "div", { class: "tools", hidden: true },
    by("⏮", "To the beginning", () => to(0)), by("◀", "One step back", () => to(at - 1)), play,
    by("▶", "One step on", () => to(at + 1)), by("⏭", "To the end", () => to(Infinity)),
    by("Answer", "To the next answer", () => to(find(steps(), at, (step) => step.what === "answer"))),
    by("To depth", "To the next step of this depth", () => to(find(steps(), at, (step) => step.what === "take" && step.depth === Number(depth.value)))),
    depth, h("span", { class: "grow" }), h("label", { for: "dance-speed", class: "faint" }, "Speed"), speed,
  ); // prettier-ignore
  body = h("div", { class: "dance-body", hidden: true }, tree, view.element);
  panel("dance").append(
    h(
      "div", { class: "tools" }, button("Show the search", ask, { class: "primary", id: "ask-dance", "data-main": "" }),
      h("span", { class: "faint" }, "for small problems: each choice, what it covers and what it removes"), h("span", { class: "grow" }),
      button("Stop", () => slot.stop(), { class: "stop" }),
    ), // prettier-ignore
    standing.element,
    controls,
    h("div", { class: "track" }, track),
    words,
    body,
  );
  panel("dance").addEventListener("keydown", keys);
  onPane("dance", () => view.later(), pause);
  on("model", clear);
  on("meaning", () => search && standing.stale());
  track.hidden = true;
}

function clear(): void {
  slot.drop();
  pause();
  search = null;
  controls.hidden = body.hidden = track.hidden = true;
  fill(words);
  standing.end({ status: "", words: "" });
}

function ask(): void {
  if (faulty()) return;
  clear();
  standing.fresh();
  standing.begin("Searching…");
  void slot.ask(question("dance"), {
    result: (result) => show(result as unknown as Search),
    progress: (now) => standing.progress(now),
    note: ({ text }) => fill(words, text),
    fault: ({ faults }) => fill(words, faults[0]?.message ?? ""),
    end: (end) => standing.end(end, search && end.status === "done" ? "" : end.words),
  });
}

function show(found: Search): void {
  search = found;
  controls.hidden = body.hidden = track.hidden = found.steps.length === 0;
  track.max = String(found.steps.length - 1);
  lines = found.steps.map((step, number) =>
    h("li", { "data-step": number, "data-what": step.what, class: "future" }, step.words),
  );
  lines.forEach((line, number) => line.style.setProperty("--depth", String(Math.min(found.steps[number]!.depth, 24))));
  fill(tree, ...lines, found.cut ? h("li", { class: "cut" }, "The search goes on; only its beginning is kept.") : null);
  view.show(found);
  at = -1;
  to(0);
}

/** Show how the search stands after a step. */
function to(step: number): void {
  if (!search?.steps.length) return;
  const next = Math.max(0, Math.min(search.steps.length - 1, step));
  const [low, high] = next > at ? [at + 1, next] : [next + 1, at];
  for (let line = low; line <= high; line++) lines[line]!.classList.toggle("future", next <= at);
  lines[at]?.removeAttribute("aria-current");
  at = next;
  lines[at]!.setAttribute("aria-current", "step");
  const line = lines[at]!;
  tree.scrollTop = Math.max(0, line.offsetTop - tree.clientHeight / 2);
  const now = search.steps[at]!;
  const states = statesAfter(search.steps, at);
  view.step(states, now.option ?? -1);
  track.value = String(at);
  fill(words, `${at + 1} of ${search.steps.length}: ${now.words}`);
  if (now.svg) showPicture({ svg: now.svg, text: now.text ?? "", caption: "Answer of the search", source: "dance" });
  const taken = [...states.options].filter(([, state]) => state === "taken").flatMap(([option]) => search!.options[option]?.at ?? []);
  light(taken);
  if (at === search.steps.length - 1) pause();
}

function start(): void {
  clearInterval(playing);
  if (search && at >= search.steps.length - 1) to(0);
  playing = setInterval(() => to(at + 1), 1000 / Number(speed.value));
  play.textContent = "Pause";
  words.setAttribute("aria-live", "off"); // a film is not read out line by line
}

function pause(): void {
  clearInterval(playing);
  playing = undefined;
  play.textContent = "Play";
  words.setAttribute("aria-live", "polite");
}

/** The keys of a player, where no field is being typed into. */
function keys(event: KeyboardEvent): void {
  if ((event.target as Element).matches("input, select") || !search) return;
  const run: Record<string, () => void> = {
    ArrowRight: () => (pause(), to(at + 1)), ArrowLeft: () => (pause(), to(at - 1)), Home: () => to(0), End: () => to(Infinity),
  }; // prettier-ignore
  if ((event.target as Element).closest(".matrix-scroll") || !run[event.key]) return;
  event.preventDefault();
  run[event.key]!();
}
