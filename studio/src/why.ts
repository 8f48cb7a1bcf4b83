// The pane "why and hint": what contradicts what, why a choice is in or out, and what follows next.

import { button, fill, h } from "./dom.ts";
import { goTo } from "./editor.ts";
import { failed, Slot } from "./jobs.ts";
import { isShown, onPane, panel, showPane } from "./panes.ts";
import { current, onCell, question, showPicture } from "./picture.ts";
import { allPlaces, choicesAt } from "./places.ts";
import { inline } from "./prose.ts";
import { Standing } from "./progress.ts";
import { stopButton } from "./stop.ts";
import { faulty, meaning, on } from "./store.ts";
import type { Hint, Member, Why } from "./types.ts";

const slot = new Slot();
const standing = new Standing();
let result: HTMLElement;
let choice: HTMLInputElement;
const choices = h("datalist", { id: "why-choices" });
let buttons: HTMLButtonElement[] = [];
let nextHint: HTMLButtonElement;
let hinting = ""; // the meaning of the model for which hints are being told; empty where none are
const MOST_PICKS = 200; // choices that are offered

export function makeWhy(): void {
  choice = h("input", {
    type: "text", id: "why-choice", list: "why-choices", autocomplete: "off", spellcheck: "false",
  }); // prettier-ignore
  result = h("div", { class: "reasons", id: "reasons" });
  const none = button("Why is there no answer?", () => why(), { class: "primary", id: "ask-why", "data-main": "" });
  const hint = button("Hint", askHint, { id: "ask-hint" });
  nextHint = button("Next hint", moreHint, { id: "ask-next-hint", disabled: true });
  const stop = stopButton(slot);
  buttons = [none, hint];
  const form = h(
    "form", { class: "row" },
    h("label", { for: "why-choice" }, "Why this choice?"), choice, choices, h("button", { type: "submit", id: "ask-why-choice" }, "Ask"),
  ); // prettier-ignore
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (choice.value.trim()) why(choice.value.trim());
  });
  panel("why").append(
    h("div", { class: "tools" }, none, hint, nextHint, h("span", { class: "grow" }), stop),
    form,
    standing.element,
    result,
    h("p", { class: "faint hint-line" }, "A click on a cell of the picture asks about what can stand there."),
  );
  onCell((place) => void offer(place));
  onPane("why", () => (showButtons(), void offerChoices()));
  on("analysis", showButtons);
  on("pending", showButtons);
  on("meaning", () => {
    hinting = "";
    showButtons();
    void offerChoices();
    if (result.childElementCount) result.dataset.stale = "yes";
  });
  on("model", () => {
    slot.drop();
    fill(result);
    standing.end({ status: "", words: "" });
    choice.value = "";
  });
}

/** Offer choices of this model to be asked about; the first of them as the example. */
async function offerChoices(): Promise<void> {
  if (!isShown("why") || faulty()) return;
  const names = [...(await allPlaces()).of.keys()].slice(0, MOST_PICKS);
  choice.placeholder = names[0] ?? "";
  fill(choices, ...names.map((name) => h("option", { value: name })));
}

function showButtons(): void {
  for (const button of buttons) button.disabled = faulty();
  nextHint.disabled = !hinting;
}

/** The choices that may stand at a place; where the picture shows one of them, the reason for that one at once. */
async function offer(place: string): Promise<void> {
  if (faulty()) return;
  showPane("why");
  const choices = await choicesAt(place);
  if (!choices.length) return;
  begin("");
  standing.end({ status: "", words: "" });
  const shown = current()?.choices?.find((one) => choices.includes(one));
  if (choices.length > 1) result.append(picks(choices, shown ?? ""));
  if (shown || choices.length === 1) why(shown ?? choices[0]!, true);
}

function picks(choices: string[], shown: string): HTMLElement {
  const ask = (one: string) => button(one, () => why(one, true), { class: "small", "aria-pressed": String(one === shown) });
  return h(
    "div", { class: "row picks", id: "picks" }, h("span", { class: "faint" }, "Why this choice?"),
    ...choices.slice(0, MOST_PICKS).map(ask),
  ); // prettier-ignore
}

/** Ask for a reason: why there is no answer, or why a choice is in the answers or not. */
function why(of = "", keepPicks = false): void {
  if (faulty()) return;
  choice.value = of;
  const offered = keepPicks ? result.querySelector(".picks") : null;
  begin("Looking for the reason…");
  if (offered) result.append(offered);
  for (const each of offered?.querySelectorAll("button") ?? []) each.setAttribute("aria-pressed", String(each.textContent === of));
  void slot.ask(question("why", of ? { at: of } : {}), {
    why: (found) => {
      result.querySelector(".reason")?.remove(); // the one before, which was longer
      result.append(reason(found));
    },
    progress: (now) => standing.progress(now),
    note: ({ text }) => result.append(h("p", {}, text)),
    fault: ({ faults }) => result.append(...faults.map((fault) => h("p", { class: "bad" }, ...inline(fault.message)))),
    end: (end) => {
      standing.end(end, end.status === "done" && !failed(end) ? "" : end.words);
      performance.mark("covr-reason", { detail: "why" });
    },
  });
}

function begin(words: string): void {
  delete result.dataset.stale;
  hinting = "";
  fill(result);
  if (words) standing.begin(words);
  showButtons();
}

function askHint(): void {
  if (faulty()) return;
  begin("Looking for the next step…");
  hinting = meaning();
  void slot.ask(question("hint", { window: 1 }), {
    hint: (found) => {
      fill(result, step(found));
      standing.end({ status: "paused", words: "" });
      if (found.svg) showPicture({ svg: found.svg, text: found.text, caption: `Hint ${found.number}`, source: "hint" });
      showButtons();
      performance.mark("covr-reason", { detail: "hint" });
    },
    progress: (now) => standing.progress(now),
    fault: ({ faults }) => result.append(...faults.map((fault) => h("p", { class: "bad" }, ...inline(fault.message)))),
    end: (end) => {
      hinting = "";
      standing.end(end, end.words && end.words[0]!.toUpperCase() + end.words.slice(1) + ".");
      showButtons();
    },
  });
}

function moreHint(): void {
  if (hinting !== meaning()) return askHint();
  standing.begin("Looking for the next step…");
  slot.more(1);
}

/** A reason: its first sentence, its rules and givens, and what is said besides. */
function reason(found: Why): HTMLElement {
  const [head = "", ...rest] = found.text.split("\n");
  const shown = h("div", { class: "reason", "data-verdict": found.verdict }, h("p", { class: "head" }, sentence(head)));
  if (found.told.length) shown.append(list(found.told));
  if (found.cures.length) shown.append(h("p", {}, `Without ${found.cures.length === 1 ? "this one" : "any one of these"} there is an answer:`), list(found.cures));
  const words = rest.join("\n").replace(/^\n+|\s+$/g, "");
  if (words && !found.members.length) shown.append(h("pre", {}, words));
  else if (words) shown.append(h("details", { class: "as-text" }, h("summary", {}, "In full"), h("pre", {}, words)));
  found.answers.forEach((answer, at) => {
    const caption = found.answers.length > 1 ? `Answer ${"AB"[at] ?? at + 1} of the reason` : "Answer of the reason";
    const show = () => showPicture({ ...answer, caption, source: "why" });
    if (at === 0) show();
    shown.append(button(`Show ${caption.toLowerCase()}`, show, { class: "small" }));
  });
  return shown;
}

/** A move: each thing that follows, with the rules that make it follow. */
function step(found: Hint): HTMLElement {
  const shown = h("div", { class: "reason" }, h("p", { class: "head" }, `Move ${found.number}.`));
  for (const { rules, said, otherwise } of found.reasons) {
    shown.append(h("div", { class: "because" }, h("p", {}, h("strong", {}, sentence(said))), list(rules)));
    if (otherwise) shown.append(h("p", {}, `${sentence(otherwise)}.`));
  }
  if (found.more) shown.append(h("p", { class: "faint" }, `${found.more} more of this kind ${found.more > 1 ? "follow" : "follows"}.`));
  shown.append(h("details", { class: "as-text" }, h("summary", {}, "In full"), h("pre", {}, found.text)));
  return shown;
}

export function list(members: Member[]): HTMLElement {
  return h("ul", { class: "lines" }, ...members.map(line));
}

/** A rule or a given, with a way to where it stands in the model. */
function line({ name, line: number, file, start, end }: Member): HTMLElement {
  const words = [h("span", {}, name), h("span", { class: "faint" }, file ? ` ${file}:${number}` : ` line ${number}`)];
  if (start === null) return h("li", {}, ...words);
  const go = () => {
    showPane("model");
    goTo(start, end ?? start);
  };
  return h("li", {}, h("button", { type: "button", class: "line", title: "Show it in the model", onclick: go }, ...words));
}

/** With a capital letter first, unless it begins with a choice. */
export function sentence(words: string): string {
  return /^\S+\(/.test(words) ? words : words && words[0]!.toUpperCase() + words.slice(1);
}
