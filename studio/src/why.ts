// The pane "why and hint": what contradicts what, why a choice is in or out, and what follows next.

import { button, fill, h } from "./dom.ts";
import { goTo } from "./editor.ts";
import { failed, type Heard, Slot } from "./jobs.ts";
import { onPane, panel, showPane } from "./panes.ts";
import { onCell, question, showPicture } from "./picture.ts";
import { Standing } from "./progress.ts";
import { faulty, on } from "./store.ts";
import type { Line } from "./types.ts";

interface Reason {
  head?: string;
  lines?: Line[];
  reasons?: Line[];
  after?: string[];
  takes?: string[];
  out?: string[];
  choices?: { choice: string; label?: string; known?: string | null }[];
}

const slot = new Slot();
const standing = new Standing();
let result: HTMLElement;
let choice: HTMLInputElement;
let buttons: HTMLButtonElement[] = [];
let step = 0; // which hint, from 0

export function makeWhy(): void {
  choice = h("input", {
    type: "text", id: "why-choice", placeholder: "a choice, such as place(1, 3, 5)", autocomplete: "off", spellcheck: "false",
  }); // prettier-ignore
  result = h("div", { class: "reasons", id: "reasons" });
  const none = button("Why is there no answer?", () => why({}), { class: "primary", id: "ask-why", "data-main": "" });
  const hint = button("Hint", () => askHint(0), { id: "ask-hint" });
  const next = button("Next hint", () => askHint(step + 1), { id: "ask-next-hint" });
  const stop = button("Stop", () => slot.stop(), { class: "stop" });
  buttons = [none, hint, next];
  const form = h(
    "form", { class: "row" },
    h("label", { for: "why-choice" }, "Why this choice?"), choice, h("button", { type: "submit", id: "ask-why-choice" }, "Ask"),
  ); // prettier-ignore
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (choice.value.trim()) why({ choice: choice.value.trim() });
  });
  panel("why").append(
    h("div", { class: "tools" }, none, hint, next, h("span", { class: "grow" }), stop),
    form,
    standing.element,
    result,
    h("p", { class: "faint hint-line" }, "A click on a cell of the picture asks about what can stand there."),
  );
  onCell((cell) => {
    showPane("why");
    if (cell.choice) choice.value = cell.choice;
    why(cell.choice ? { choice: cell.choice } : { at: cell.at });
  });
  onPane("why", showButtons, () => undefined);
  on("analysis", showButtons);
  on("meaning", () => {
    step = 0;
    if (result.childElementCount) result.dataset.stale = "yes";
  });
  on("model", () => {
    slot.drop();
    fill(result);
    standing.end({ status: "", words: "" });
    choice.value = "";
  });
}

function showButtons(): void {
  for (const button of buttons) button.disabled = faulty();
}

function why(at: Record<string, unknown>): void {
  ask("why", "Looking for the reason…", at);
}

function askHint(which: number): void {
  step = which;
  ask("hint", "Looking for the next step…", { step });
}

function ask(kind: "why" | "hint", words: string, options: Record<string, unknown>): void {
  if (faulty()) return;
  delete result.dataset.stale;
  result.dataset.kind = kind;
  fill(result);
  standing.begin(words);
  let first = true;
  const heard: Heard = {
    result: (found) => result.append(show(found as Reason)),
    picture: (picture) => {
      if (first) showPicture({ ...picture, caption: picture.caption || (kind === "hint" ? "Hint" : "Why"), source: kind });
      else result.append(another(picture));
      first = false;
    },
    progress: (now) => standing.progress(now),
    note: ({ text }) => result.append(h("p", {}, text)),
    fault: ({ faults }) => result.append(...faults.map((fault) => h("p", { class: "bad" }, fault.message))),
    end: (end) => {
      standing.end(end, end.status === "done" && result.childElementCount && !failed(end) ? "" : end.words);
      performance.mark("covr-reason", { detail: kind });
    },
  };
  void slot.ask(question(kind, options), heard);
}

/** A further picture, such as the other of two answers: shown large on a click. */
function another(picture: { svg: string; text: string; caption?: string }): HTMLElement {
  return h(
    "div", { class: "row" },
    button(`Show ${picture.caption || "another picture"}`, () =>
      showPicture({ ...picture, caption: picture.caption || "Why", source: "why" }), { class: "small" }), // prettier-ignore
  );
}

function show(found: Reason): HTMLElement {
  const shown = h("div", { class: "reason" });
  if (found.head) shown.append(h("p", { class: "head" }, found.head));
  const lines = found.lines ?? found.reasons ?? [];
  if (lines.length) shown.append(h("ul", { class: "lines" }, ...lines.map(line)));
  if (found.takes?.length) shown.append(choices("So this is taken:", found.takes));
  if (found.out?.length) shown.append(choices("So this is ruled out:", found.out));
  for (const text of found.after ?? []) shown.append(h("p", {}, text));
  if (found.choices?.length)
    shown.append(
      h(
        "div", { class: "row picks" },
        ...found.choices.map(({ choice: text, label, known }) =>
          button(label || text, () => ((choice.value = text), why({ choice: text })), { class: "small", "data-known": known ?? undefined, title: known ?? text })),
      ), // prettier-ignore
    );
  return shown;
}

function choices(head: string, of: string[]): HTMLElement {
  return h("p", {}, head, " ", ...of.flatMap((text, at) => [at ? ", " : "", h("code", {}, text)]));
}

/** A rule or a given, with a way to where it stands in the model. */
function line({ text, start, end, mark }: Line): HTMLElement {
  const words = h("span", {}, mark ? h("b", { class: "mark" }, `${mark} `) : null, text);
  if (start == null) return h("li", {}, words);
  const go = () => {
    showPane("model");
    goTo(start, end ?? start);
  };
  return h("li", {}, h("button", { type: "button", class: "line", title: "Show it in the model", onclick: go }, words));
}
