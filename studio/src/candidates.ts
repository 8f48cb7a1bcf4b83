// The candidates pane: which choices are in all, some or none of the answers, while clues are typed.

import { button, fill, h } from "./dom.ts";
import { failed, Slot } from "./jobs.ts";
import { cannotBeKept, markClash } from "./light.ts";
import { isShown, onPane, panel } from "./panes.ts";
import { question, showPicture } from "./picture.ts";
import { grouped, Standing } from "./progress.ts";
import { settings } from "./settings.ts";
import { stopButton } from "./stop.ts";
import { faulty, meaning, on } from "./store.ts";
import type { End, JobEvents } from "./types.ts";

const CAPS = [2, 10, 100, 1000, 10_000];

const slot = new Slot();
const standing = new Standing();
let verdict: HTMLElement;
let figures: HTMLElement;
let live: HTMLInputElement;
let cap: HTMLSelectElement;
let asked = "";
let clashing = ""; // the rules that contradict each other, where there is no answer

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
      h("span", { class: "together" }, live, h("label", { for: "live" }, "while I type")), h("span", { class: "grow" }),
      h("span", { class: "together" }, h("label", { for: "cap" }, "Count up to"), cap),
      stopButton(slot),
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
  clashing = "";
  performance.mark("covr-ask-candidates");
  const words = setTimeout(() => standing.begin("Looking for candidates…"), 300);
  void slot.ask(question("candidates", { cap: Number(cap.value) }), {
    candidates: ({ candidates, cut }) => showChoices(candidates, cut),
    picture: (picture) => showPicture({ ...picture, caption: "Candidates", source: "candidates" }),
    clash: ({ choices, rules }) => {
      markClash(choices);
      clashing = rules.length ? cannotBeKept(rules) : "";
    },
    progress: (now) => standing.progress(now),
    fault: ({ faults }) => fill(figures, faults[0]?.message ?? ""),
    end: (end) => {
      clearTimeout(words);
      const good = end.status === "done" || end.status === "none";
      showVerdict(good ? end : null);
      standing.end(end, good ? "" : failed(end) ? end.words : `${end.words}`);
      performance.mark("covr-candidates");
    },
  });
}

/** Green for exactly one answer, red for none, otherwise how many. */
function showVerdict(end: End | null): void {
  delete verdict.dataset.stale;
  if (!end) delete verdict.dataset.count;
  if (!end) return fill(verdict);
  const { answers, exact, alike } = end.figures as { answers: number | string | null; exact: boolean; alike: boolean };
  const one = String(answers) === "1" && exact;
  const none = String(answers) === "0";
  verdict.dataset.count = none ? "none" : one ? "one" : "many";
  const many = answers === null ? "How many answers there are is not known" : `${grouped(answers)}${exact ? "" : " or more"} answers`;
  const each = alike && !none && !one ? ", where each counts by itself, without “up to”" : "";
  const text = none ? "No answer" : one ? "Exactly one answer" : many + each;
  if (verdict.textContent !== text) fill(verdict, text);
  if (none) fill(figures, clashing);
  else markClash([]);
}

function showChoices(candidates: JobEvents["candidates"]["candidates"], cut: boolean): void {
  const all = candidates.filter(({ verdict, given }) => verdict === "all" && !given).length;
  const some = candidates.filter(({ verdict }) => verdict === "some").length;
  const are = (number: number) => `${grouped(number)}${cut ? "+" : ""} ${number === 1 ? "choice is" : "choices are"}`;
  const parts = [all && `${are(all)} in every answer`, some && `${are(some)} in some answers and not in others`].filter(Boolean);
  fill(figures, parts.length ? `Besides what is given, ${parts.join(", and ")}.` : "");
}
