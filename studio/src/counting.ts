// While somebody sets a puzzle: whether it has no answer, one or more, and in which squares two of them differ.

import { button, fill, h } from "./dom.ts";
import { failed, Slot } from "./jobs.ts";
import { mark } from "./light.ts";
import { question } from "./picture.ts";
import { placesOf } from "./places.ts";
import { faulty, on } from "./store.ts";
import type { Answer } from "./types.ts";
import { onView, showView, view } from "./views.ts";

const SECONDS = 5; // of one search, while the next edit may come at any time
const slot = new Slot();
const verdict = h("p", { class: "verdict", role: "status", "aria-live": "polite", id: "count" });
let turn = 0;

/** What the pane Draw shows of it, and the button that leads there. */
export function makeCount(): [HTMLElement, HTMLElement] {
  onView(count);
  on("meaning", count);
  on("analysis", () => faulty() && (verdict.dataset.stale = "yes"));
  on("model", () => (slot.drop(), tell("", "")));
  return [verdict, button("Board alone", () => showView("set"), { id: "show-set", title: "The board at full width, with the number of answers while you draw" })];
}

function count(): void {
  if (view() !== "set") {
    slot.drop();
    mark("differ", []);
    return tell("", "");
  }
  if (faulty()) return;
  const mine = ++turn;
  const found: Answer[] = [];
  verdict.dataset.stale = "yes";
  performance.mark("covr-ask-count");
  void slot.ask(question("unique", { seconds: SECONDS }), {
    answer: (answer) => found.push(answer),
    end: async (end) => {
      const [a = [], b = []] = found.map(({ choices }) => choices ?? []);
      const apart = found.length > 1 ? [...a.filter((one) => !b.includes(one)), ...b.filter((one) => !a.includes(one))] : [];
      const squares = new Set(await placesOf(apart)).size;
      if (mine !== turn) return;
      mark("differ", apart);
      if (failed(end)) tell("", end.words);
      else if (found.length > 1) tell("many", `More than one answer${squares ? `: two of them differ in ${squares === 1 ? "1 square" : `${squares} squares`}` : ""}`);
      else if (end.status === "none") tell("none", "No answer");
      else if (end.figures?.unique === true) tell("one", "Exactly one answer");
      else tell("", end.status === "fault" ? "" : found.length ? "One answer; whether there are more is not known" : "Not known");
      performance.mark("covr-count");
    },
  });
}

function tell(how: string, words: string): void {
  delete verdict.dataset.stale;
  verdict.dataset.count = how;
  if (verdict.textContent !== words) fill(verdict, words);
}
