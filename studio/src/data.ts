// The data pane: every param of the model as a field, and grids as boards.

import { Board } from "./board.ts";
import { button, fill, h } from "./dom.ts";
import { paramOf } from "./faults.ts";
import { notice } from "./notices.ts";
import { filled, onPane, panel, showPane } from "./panes.ts";
import { inline } from "./prose.ts";
import { allFaults, allParams, isPending, model, on, param, setData } from "./store.ts";
import type { Param } from "./types.ts";

const LARGEST_FILE = 2_000_000; // bytes: what the server takes
const LARGEST_BOARD = 2500; // cells: larger grids are edited as text

interface Field {
  element: HTMLElement;
  shape: string; // what the field was made for; if that changes, it is made anew
  show(param: Param): void;
  take(text: string): void;
}

const fields = new Map<string, Field>();
let holder: HTMLElement;

export function makeData(): void {
  holder = h("div", { class: "form" });
  panel("data").append(holder);
  onPane("data", show);
  on("analysis", show);
  on("remarks", showFaults);
  on("params", show);
  on("model", () => fields.clear());
  // What stands here is of the text that was read last: nothing is typed into a board of another model.
  for (const now of ["pending", "analysis"] as const) on(now, () => (holder.inert = isPending() && model.looked !== model.text));
  drops(panel("data"));
}

function show(): void {
  const params = allParams();
  if (!params.length && model.analysis?.faults.length && fields.size) return; // while a fault hides the params
  for (const name of [...fields.keys()]) if (!params.some((one) => one.name === name)) fields.delete(name);
  for (const one of params) {
    const shape = shapeOf(one);
    const field = fields.get(one.name);
    if (field?.shape !== shape) fields.set(one.name, asBoard(one) ? boardField(one, shape) : textField(one, shape));
    else field.show(one);
  }
  const elements = params.map((one) => fields.get(one.name)!.element);
  if (!elements.length)
    return fill(holder, h("p", { class: "empty" }, "This model has no params. ", h("code", {}, "param n = 8"), " would make n one."));
  const same = holder.children.length === elements.length && elements.every((each, at) => holder.children[at] === each);
  if (!same) fill(holder, ...elements);
  showFaults();
  filled("data");
}

/** A fault in a value is said beside its field. */
function showFaults(): void {
  const faults = allFaults();
  for (const [name, { element }] of fields) {
    const own = faults.filter((fault) => paramOf(fault) === name);
    const place = element.querySelector<HTMLElement>(".field-fault")!;
    fill(place, ...own.map((fault) => h("p", {}, ...inline(fault.message))));
    element.querySelector("input, textarea")?.setAttribute("aria-invalid", String(own.length > 0));
  }
}

function asBoard(one: Param): boolean {
  return one.grid !== null && one.grid.rows > 0 && one.grid.rows * one.grid.cols <= LARGEST_BOARD;
}

function shapeOf(one: Param): string {
  return asBoard(one) ? "board" : one.kind;
}

function frame(one: Param, body: HTMLElement, tools: Node[], label: Node): HTMLElement {
  return h(
    "div",
    { class: "field", "data-param": one.name },
    h("div", { class: "row field-head" }, label, h("span", { class: "faint kind" }, one.kind), h("span", { class: "grow" }), ...tools),
    body,
    h("div", { class: "field-fault", role: "status" }),
  );
}

function boardField(one: Param, shape: string): Field {
  const board = new Board(one, one.grid!, (text) => setData(one.name, text));
  const asText = h("details", { class: "as-text" }, h("summary", {}, "As text"));
  const area = textArea(one);
  asText.append(area);
  const element = frame(one, h("div", {}, board.element, asText), [fileButton(one.name)], h("h2", {}, one.name));
  const showText = (now: Param) => {
    if (document.activeElement !== area) area.value = now.given ?? now.default;
  };
  showText(one);
  return {
    element,
    shape,
    show(now) {
      board.show(now, now.grid!);
      showText(now);
    },
    take: (text) => board.take(text),
  };
}

function textField(one: Param, shape: string): Field {
  const long = one.kind !== "number" && one.kind !== "truth" && (one.default.length > 40 || one.default.includes("\n") || shape === "grid");
  const input = long ? textArea(one) : h("input", { type: "text", id: `param-${one.name}`, "data-main": "", autocomplete: "off", spellcheck: "false" });
  if (one.kind === "number") input.setAttribute("inputmode", "numeric");
  if (!long) input.addEventListener("input", () => setData(one.name, input.value.trim() === "" ? null : input.value));
  input.addEventListener("keydown", (event) => one.kind === "number" && step(event as KeyboardEvent, one.name, input));
  const own = button("Model’s own", () => setData(one.name, null), { class: "quiet small", title: `${one.default}` });
  const element = frame(one, input, long ? [fileButton(one.name), own] : [own], h("label", { for: `param-${one.name}` }, one.name));
  const showValue = (now: Param) => {
    own.hidden = now.given === null;
    if (document.activeElement !== input || now.given === null) {
      const value = now.given ?? now.default;
      if (input.value !== value && !(document.activeElement === input && input.value.trim() === "")) input.value = value;
    }
  };
  showValue(one);
  return { element, shape, show: showValue, take: (text) => setData(one.name, text) };
}

function textArea(one: Param): HTMLTextAreaElement {
  const lines = Math.min(14, Math.max(3, (one.given ?? one.default).split("\n").length + 1));
  const area = h("textarea", { id: `param-${one.name}`, "data-main": "", rows: lines, spellcheck: "false", wrap: "off", "aria-label": one.name });
  area.addEventListener("input", () => setData(one.name, area.value.trim() === "" ? null : area.value));
  return area;
}

/** Up and down change a number by one. */
function step(event: KeyboardEvent, name: string, input: HTMLInputElement | HTMLTextAreaElement): void {
  const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!by || !/^-?[0-9]{1,15}$/.test(input.value.trim())) return;
  event.preventDefault();
  input.value = String(Number(input.value) + by);
  setData(name, input.value);
}

function fileButton(name: string): HTMLElement {
  const input = h("input", { type: "file", class: "unseen", tabindex: "-1", "aria-hidden": "true" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void take(file, name);
    input.value = "";
  });
  return h("span", {}, input, button("From a file…", () => input.click(), { class: "quiet small" }));
}

async function take(file: File, name: string): Promise<void> {
  if (file.size > LARGEST_FILE) return notice(`${file.name} is larger than the studio takes.`, "bad");
  fields.get(name)?.take(await file.text());
  notice(`${file.name} was read into ${name}.`);
}

/** A file that is dropped goes into the field under it, or into the only field that holds data. */
function drops(place: HTMLElement): void {
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("dropping");
  });
  place.addEventListener("dragleave", () => place.classList.remove("dropping"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text/plain");
    const under = (event.target as HTMLElement).closest<HTMLElement>(".field")?.dataset.param;
    const long = [...fields.keys()].filter((name) => !["number", "truth"].includes(param(name)?.kind ?? ""));
    const name = under ?? (long.length === 1 ? long[0] : undefined);
    if (!name) return notice("Drop the file on the field that it is for.", "bad");
    if (file) void take(file, name);
    else if (text) fields.get(name)?.take(text);
    showPane("data");
  });
}
