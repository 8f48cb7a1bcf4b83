// The answers pane: first, next, previous, all, and the questions that are answered by a number.

import { announce, button, download, fill, h } from "./dom.ts";
import { Slot } from "./jobs.ts";
import { cannotBeKept, markClash } from "./light.ts";
import { panel } from "./panes.ts";
import { question, showPicture } from "./picture.ts";
import { Standing } from "./progress.ts";
import { settings } from "./settings.ts";
import { Sheet } from "./sheet.ts";
import { faulty, meaning, model, on, plainName } from "./store.ts";
import type { Answer, End, Fault } from "./types.ts";

const WINDOW = 50; // answers that the server sends before it waits to be asked for more
const PAGEFUL = 1000; // answers that are listed before the user is asked whether to go on

const slot = new Slot();
const clashSlot = new Slot();
const standing = new Standing();
let found: Answer[] = [];
let at = -1; // which of `found` is shown
let kind = ""; // what was asked last
let wanted = 0; // answers that were asked for
let awaited = false; // whether the user waits for the next answer to be shown
let asked = ""; // the meaning of the text when it was asked
let over = true; // whether no more answers can come from what was asked
let sheet: Sheet;
let buttons: Record<string, HTMLButtonElement> = {};
let seconds: HTMLInputElement;
let most: HTMLInputElement;
let extra: HTMLElement;
let place: HTMLElement;
let sheetTools: HTMLElement;

export function makeAnswers(): void {
  sheet = new Sheet((number) => go(found.findIndex((answer) => answer.number === number)));
  const press = (name: string, label: string, run: () => void, title: string, more: object = {}) =>
    (buttons[name] = button(label, run, { id: `ask-${name}`, title, ...more }));
  place = h("span", { class: "place faint", id: "answer-place" });
  seconds = h("input", { type: "number", min: "1", max: "3600", value: settings.read("seconds") || "60", id: "limit-seconds" });
  most = h("input", { type: "number", min: "1", max: "100000", value: settings.read("most") || String(PAGEFUL), id: "limit-answers" });
  seconds.addEventListener("change", () => settings.write("seconds", seconds.value));
  most.addEventListener("change", () => settings.write("most", most.value));
  const size = h("input", { type: "range", min: "60", max: "320", value: settings.read("tile") || "120", "aria-label": "Size of the pictures", id: "tile-size" });
  const resize = () => {
    sheet.element.style.setProperty("--tile", `${size.value}px`);
    settings.write("tile", size.value);
  };
  size.addEventListener("input", resize);
  resize();
  extra = h("div", { class: "extra" });
  sheetTools = h("div", { class: "row", hidden: true }, h("label", { for: "tile-size", class: "faint" }, "Size"), size);
  const tools = h(
    "div", { class: "tools" },
    press("first", "First", () => ask("solve", "Looking for an answer…"), "Find an answer", { class: "primary", "data-main": "" }),
    press("previous", "Previous", () => go(at - 1), "The answer before"),
    press("next", "Next", next, "The next answer"),
    press("all", "All", () => ask("all", "Listing answers…"), "List the answers as small pictures"),
    h("span", { class: "gap" }),
    press("count", "Count", () => ask("count", "Counting…"), "How many answers are there?"),
    press("unique", "Unique?", () => ask("unique", "Looking for two answers…"), "Is there exactly one?"),
    press("best", "Best", () => ask("best", "Looking for the best answer…"), "The best answer, for a model with minimize or maximize"),
    press("test", "Test", () => ask("test", "Testing what the model expects…"), "Whether the model keeps its promises (expect)"),
    press("proof", "Proof", () => ask("proof", "Writing a proof…"), "A proof of all answers, or of the best one, that another program checks"),
    h("span", { class: "grow" }),
    press("stop", "Stop", stop, "Stop (Escape)", { class: "stop" }),
  ); // prettier-ignore
  const limits = h(
    "div", { class: "row limits" },
    h("label", { for: "limit-seconds" }, "Stop after"), seconds, h("span", {}, "seconds,"),
    h("label", { for: "limit-answers" }, "list at most"), most, h("span", {}, "answers"), h("span", { class: "grow" }), place,
  ); // prettier-ignore
  panel("answers").append(tools, limits, standing.element, extra, sheetTools, sheet.element);
  panel("answers").addEventListener("keydown", (event) => event.key === "Escape" && slot.busy && stop());
  slot.onBusy = showButtons;
  on("meaning", () => {
    if (asked && asked !== meaning()) standing.stale();
    else standing.fresh();
    showButtons();
  });
  on("analysis", showButtons);
  on("pending", showButtons);
  on("model", forget);
  showButtons();
}

function forget(): void {
  slot.drop();
  found = [];
  at = -1;
  over = true;
  asked = "";
  sheet.clear();
  fill(extra);
  standing.end({ status: "", words: "" });
  showButtons();
}

/** Ask something of the model as it is now. */
export function ask(what: string, words: string): void {
  if (faulty() && model.looked === model.text) return announce("The model has errors.");
  kind = what;
  asked = meaning();
  clashSlot.drop();
  const listing = what === "all" || what === "solve";
  fill(extra);
  sheetTools.hidden = what !== "all";
  if (listing || what === "best" || what === "unique") {
    found = [];
    at = -1;
    sheet.clear();
  }
  over = !listing;
  wanted = what === "all" ? Number(most.value) || PAGEFUL : 1;
  awaited = true;
  standing.fresh();
  standing.begin(words);
  performance.mark(`covr-ask-${what}`);
  const options: Record<string, unknown> = { seconds: Number(seconds.value) || 60 };
  if (listing) options.window = Math.min(WINDOW, wanted);
  void slot.ask(question(what, options), {
    answer: received,
    better: improved,
    pause: paused,
    picture: (picture) => showPicture({ caption: "Picture", source: "answer", ...picture }),
    progress: (now) => standing.progress(now),
    verdict: ({ kept, expected, found }) => showVerdict(kept, `expect ${expected.replace(/^expect /, "")}: ${found}`),
    proof: ({ problem, proof }) => extra.append(h("p", { class: "row" }, saving("problem", "opb", problem), saving("proof", "pbp", proof))),
    note: ({ text }) => extra.append(h("p", { class: "faint" }, text)),
    fault: ({ faults }) => showFaults(faults),
    end: ended,
  });
  showButtons();
}

function received(answer: Answer): void {
  found.push(answer);
  if (kind === "all") {
    sheet.add(answer);
    countShown();
  }
  if (!awaited) return;
  awaited = false;
  go(found.length - 1);
  if (kind === "solve") rest(`Answer ${answer.number}. There may be more.`);
}

/** An answer that is better than all before: shown at once, while the search goes on. */
function improved(answer: Answer): void {
  showPicture({ ...answer, caption: `Best so far: ${answer.cost}`, source: "answer" });
}

/** The server waits until more answers are wanted. */
function paused(): void {
  if (kind === "all" && found.length < wanted) slot.more(Math.min(WINDOW, wanted - found.length));
  else if (kind === "all") offerMore();
  else if (!awaited) rest(`Answer ${found[at]?.number ?? found.length}. There may be more.`);
  else slot.more(1);
}

let counted = false;

/** The number of answers so far, said once a frame at most. */
function countShown(): void {
  if (counted) return;
  counted = true;
  requestAnimationFrame(() => {
    counted = false;
    showButtons();
  });
}

function rest(words: string): void {
  standing.end({ status: "paused", words });
  showButtons();
}

function offerMore(): void {
  rest(`${found.length} answers are shown, and there may be more.`);
  const step = Number(most.value) || PAGEFUL;
  const press = button(`List ${step} more`, () => {
    press.remove();
    wanted += step;
    standing.begin("Listing answers…");
    slot.more(Math.min(WINDOW, step));
    showButtons();
  });
  fill(extra, press);
}

function ended(end: End): void {
  over = true;
  const waited = awaited;
  awaited = false;
  standing.element.dataset.kind = kind;
  // An answer that is on show stays the news, unless the user waited for another one.
  if (kind === "solve" && found.length && !waited) standing.end(end, `Answer ${at + 1} of ${found.length}.`);
  else if (kind === "solve" && found.length && end.status === "done") standing.end(end, "There is no further answer.");
  else standing.end(end, sentence(end.words));
  if (kind === "all" && end.status !== "done") fill(extra);
  performance.mark("covr-answered", { detail: kind });
  showButtons();
  if (end.status === "none" && !found.length && asked === meaning()) showClash();
}

/** Where there is no answer: the givens that contradict each other are marked, and the rules named. */
function showClash(): void {
  void clashSlot.ask(question("clash"), {
    clash: ({ choices, rules }) => {
      markClash(choices);
      if (rules.length) extra.append(h("p", { class: "faint", id: "answers-clash" }, cannotBeKept(rules)));
    },
  });
}

function sentence(words: string): string {
  return words && words[0]!.toUpperCase() + words.slice(1) + (/[.!?:]$/.test(words) ? "" : ".");
}

function next(): void {
  if (at + 1 < found.length) return go(at + 1);
  if (kind === "solve" && !over && asked === meaning()) {
    standing.begin("Looking for the next answer…");
    awaited = true;
    slot.more(1);
    return showButtons();
  }
  if (kind === "all" && !over && asked === meaning()) return;
  ask("solve", "Looking for an answer…");
}

function go(to: number): void {
  const answer = found[to];
  if (!answer) return;
  at = to;
  showPicture({ ...answer, caption: captionOf(answer), source: "answer", of: asked });
  showBroken(answer);
  sheet.choose(to + 1);
  showButtons();
}

/** The wishes that an answer breaks, below what is said of it. */
function showBroken({ broken }: Answer): void {
  extra.querySelector(".broken")?.remove();
  if (!broken?.length) return;
  const said = broken.length === 1 ? "It breaks a wish:" : `It breaks ${broken.length} wishes:`;
  const list = h("ul", {}, ...broken.map((wish) => h("li", {}, wish)));
  extra.append(h("div", { class: "broken" }, h("p", { class: "faint" }, said), list));
}

function captionOf({ number, cost, costs }: Answer): string {
  const values = costs?.length ? costs.join(", then ") : cost;
  const value = values === null || values === undefined ? "" : `, value ${values}`;
  return kind === "best" ? `Best answer${value}` : `Answer ${number}${value}`;
}

export function stop(): void {
  slot.stop();
  standing.element.dataset.stopping = "yes";
}

function showButtons(): void {
  const wrong = faulty();
  for (const name of ["first", "all", "count", "unique", "best", "test", "proof"]) buttons[name]!.disabled = wrong;
  const resting = standing.element.dataset.state === "paused";
  buttons.previous!.disabled = at < 1;
  buttons.next!.disabled = wrong || (over && at + 1 >= found.length && kind === "solve" && asked === meaning()) || (slot.busy && !resting && at + 1 >= found.length);
  buttons.stop!.disabled = !slot.busy || resting;
  place.textContent = found.length ? `${at + 1} of ${found.length}${over ? "" : "+"}` : "";
}

/** A button that saves a file of a proof, which is compressed. */
function saving(what: string, ending: string, packed: string): HTMLElement {
  const name = `${plainName()}.${ending}.gz`;
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const save = () => download(name, new Blob([bytes], { type: "application/gzip" }));
  return button(`Save the ${what}`, save, { id: `save-${what}`, title: name });
}

function showFaults(faults: Fault[]): void {
  extra.append(h("ul", { class: "plain-faults" }, ...faults.map((fault) => h("li", {}, fault.message))));
  standing.end({ status: "faulty", words: "The model cannot be asked:" });
}

/** A promise of the model, and whether it is kept. */
function showVerdict(kept: boolean | null, words: string): void {
  const list = extra.querySelector(".results") ?? extra.appendChild(h("ul", { class: "results" }));
  list.append(h("li", { "data-ok": String(kept) }, words));
}
