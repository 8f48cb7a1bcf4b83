// The pane "could be left out": givens and rules without which the answers are the same.

import { button, fill, h } from "./dom.ts";
import { failed, Slot } from "./jobs.ts";
import { onPane, panel } from "./panes.ts";
import { question } from "./picture.ts";
import { Standing } from "./progress.ts";
import { inline } from "./prose.ts";
import { stopButton } from "./stop.ts";
import { faulty, on } from "./store.ts";
import type { Spare } from "./types.ts";
import { list, sentence } from "./why.ts";

const slot = new Slot();
const standing = new Standing();
let result: HTMLElement;
let buttons: HTMLButtonElement[] = [];

export function makeSpare(): void {
  result = h("div", { class: "reasons", id: "spare" });
  buttons = [
    button("Clues and rules", () => ask("all"), { class: "primary", id: "ask-spare", "data-main": "" }),
    button("Only clues", () => ask("givens"), { id: "ask-spare-givens" }),
    button("Only rules", () => ask("rules"), { id: "ask-spare-rules" }),
  ];
  panel("spare").append(
    h("div", { class: "tools" }, ...buttons, h("span", { class: "grow" }), stopButton(slot)),
    standing.element,
    result,
    h("p", { class: "faint hint-line" }, "Givens, and rules with a label: without them the answers would be the same."),
  );
  onPane("spare", showButtons);
  on("analysis", showButtons);
  on("pending", showButtons);
  on("meaning", () => {
    if (result.childElementCount) result.dataset.stale = "yes";
  });
  on("model", () => {
    slot.drop();
    fill(result);
    standing.end({ status: "", words: "" });
  });
}

function showButtons(): void {
  for (const button of buttons) button.disabled = faulty();
}

function ask(only: "all" | "givens" | "rules"): void {
  if (faulty()) return;
  delete result.dataset.stale;
  fill(result);
  standing.begin("Looking for what could be left out…");
  void slot.ask(question("spare", { only }), {
    spare: (found) => result.append(told(found)),
    progress: (now) => standing.progress(now),
    note: ({ text }) => result.append(h("p", {}, text)),
    fault: ({ faults }) => result.append(...faults.map((fault) => h("p", { class: "bad" }, ...inline(fault.message)))),
    end: (end) => {
      standing.end(end, end.status === "done" && !failed(end) ? "" : end.words);
      performance.mark("covr-reason", { detail: "spare" });
    },
  });
}

/** The lists, each below the sentence that says what it is. */
function told(found: Spare): HTMLElement {
  const shown = h("div", { class: "reason" }, h("p", { class: "head" }, sentence(found.head)));
  if (found.alone.length) shown.append(list(found.alone), h("p", {}, sentence(found.needed)));
  if (found.words) shown.append(h("p", {}, sentence(found.words)));
  if (found.together.length > 1 && found.words.startsWith("these")) shown.append(list(found.together));
  if (found.open.length) shown.append(h("p", {}, "Not known of these:"), list(found.open));
  return shown;
}
