// The candidates pane: which choices are in all, some or none of the answers, while clues are typed.

import { button, fill, h } from "./dom.ts";
import { failed, Slot } from "./jobs.ts";
import { isShown, onPane, panel } from "./panes.ts";
import { question, showPicture } from "./picture.ts";
import { grouped, Standing } from "./progress.ts";
import { settings } from "./settings.ts";
import { faulty, meaning, on } from "./store.ts";

interface Candidates {
  count: string; // "1", "0", "12", or "1000+" where counting stopped
  capped?: boolean;
  words?: string;
  choices?: { all: number; some: number; none: number };
}

const CAPS = [2, 10, 100, 1000, 10_000];

const slot = new Slot();
const standing = new Standing();
let verdict: HTMLElement;
let figures: HTMLElement;
let live: HTMLInputElement;
let cap: HTMLSelectElement;
let asked = "";

export function makeCandidates(): void {
  live = h("input", { type: "checkbox", id: "live", checked: settings.read("live") !== "no" });
  live.addEventListener("change", () => {
    settings.write("live", live.checked ? "yes" : "no");
    if (live.checked) ask();
    else slot.drop();
  });
  cap = h("select", { id: "cap" }, ...CAPS.map((number) => h("option", { value: number }, grouped(number))));
  cap.value = settings.read("cap") || "100";
  cap.addEventListener("change", () => {
    settings.write("cap", cap.value);
    asked = "";
    ask();
  });
  verdict = h("p", { class: "verdict", role: "status", "aria-live": "polite", id: "verdict" });
  figures = h("p", { class: "faint" });
  panel("candidates").append(
    h(
      "div", { class: "tools" },
      button("Find candidates", () => ((asked = ""), ask(true)), { class: "primary", id: "ask-candidates", "data-main": "" }),
      live, h("label", { for: "live" }, "while I type"), h("span", { class: "grow" }),
      h("label", { for: "cap" }, "Count up to"), cap,
      button("Stop", () => slot.stop(), { class: "stop" }),
    ), // prettier-ignore
    verdict,
    figures,
    standing.element,
    h(
      "p", { class: "faint hint-line" },
      "The picture shows in every cell what can still stand there. Type clues into the board of the pane Data.",
    ), // prettier-ignore
  );
  onPane("candidates", () => ask(), () => slot.drop()); // prettier-ignore
  on("meaning", () => ask());
  on("model", () => {
    slot.drop();
    asked = "";
    delete verdict.dataset.count;
    fill(verdict);
    fill(figures);
  });
  settings.onTheme(() => {
    asked = "";
    ask();
  });
}

function ask(always = false): void {
  if (faulty() || (!always && (!live.checked || !isShown("candidates")))) return;
  if (asked === meaning() && slot.busy) return;
  asked = meaning();
  verdict.dataset.stale = "yes";
  performance.mark("covr-ask-candidates");
  const words = setTimeout(() => standing.begin("Looking for candidates…"), 300);
  void slot.ask(question("candidates", { cap: Number(cap.value) }), {
    result: (result) => show(result as unknown as Candidates),
    picture: (picture) => showPicture({ ...picture, caption: "Candidates", source: "candidates" }),
    progress: (now) => standing.progress(now),
    fault: ({ faults }) => fill(figures, faults[0]?.message ?? ""),
    end: (end) => {
      clearTimeout(words);
      const good = end.status === "done" || end.status === "none";
      if (!good) delete verdict.dataset.count;
      if (!good) fill(verdict);
      delete verdict.dataset.stale;
      standing.end(end, good ? "" : failed(end) ? end.words : `${end.words}`);
      performance.mark("covr-candidates");
    },
  });
}

function show(result: Candidates): void {
  const { count } = result;
  verdict.dataset.count = count === "0" ? "none" : count === "1" ? "one" : "many";
  delete verdict.dataset.stale;
  const said = count === "0" ? "No answer" : count === "1" ? "Exactly one answer" : `${grouped(count.replace("+", ""))} answers`;
  const text = result.words ?? (count.endsWith("+") ? `More than ${said}` : said);
  if (verdict.textContent !== text) fill(verdict, text);
  const { choices } = result;
  fill(figures, choices ? `${grouped(choices.all)} choices are in every answer, ${grouped(choices.some)} in some, ${grouped(choices.none)} in none.` : "");
}
