// The picture pane: the puzzle while nothing is asked, and what an answer, a hint or the candidates draw.

import { button, download, fill, h } from "./dom.ts";
import { failed, type Question, Slot } from "./jobs.ts";
import { notice } from "./notices.ts";
import { panel } from "./panes.ts";
import { asElement } from "./pictures.ts";
import { settings } from "./settings.ts";
import { faulty, meaning, model, on, plainName, setGeometry, setGrids, setRemarks, setSigns, titleOf } from "./store.ts";
import type { Fault } from "./types.ts";
import { transport } from "./transport.ts";
import { onView, view } from "./views.ts";
import { postForBlob } from "./wire.ts";

export interface Shown {
  svg: string;
  text: string;
  caption: string;
  choices?: string[]; // what is chosen in it, for an answer
  of?: string; // the meaning of the model that was asked; by default as it is now
  source: "puzzle" | "hand" | "answer" | "candidates" | "why" | "hint" | "dance" | "matrix";
}

const MOST_SCALE = 2;
const ALONE = 4; // how much larger a picture may be that stands alone
const slot = new Slot();
let shown: Shown | null = null;
let stage: HTMLElement;
let caption: HTMLElement;
let asText: HTMLElement;
let state: HTMLElement;
let zoom = 0; // 0: as large as there is room; otherwise a factor
const pictureListeners = new Set<() => void>();
const pointListeners = new Set<(place: string) => void>();
const cellListeners = new Set<(place: string) => void>();

/** What a question of now is: the model, its data, and how pictures are to look. */
export function question(kind: string, options: Record<string, unknown> = {}): Question {
  const { name, text, data } = model;
  return { kind, name, text, data, options: { theme: settings.theme(), ...options } };
}

/** Hear of clicks on cells of the picture. */
export function onCell(listener: (place: string) => void): void {
  cellListeners.add(listener);
}

/** Hear of places that the arrow keys have reached. */
export function onPoint(listener: (place: string) => void): void {
  pointListeners.add(listener);
}

/** Something that takes clicks and keys of the picture for itself, while it is wanted. */
export interface Mode {
  wanted(): boolean;
  click(point: Point & { shiftKey?: boolean; detail?: number }, at: string | null): void; // where, and at which place of the picture
  key(event: KeyboardEvent): boolean; // whether it took the key
  drag?(from: Point, to: Point, begins: boolean): void; // the pointer is led over the picture
}
type Point = { clientX: number; clientY: number };
const modes: Mode[] = [];

export function addMode(mode: Mode): void {
  modes.push(mode);
}

/** Add a control to the tools of the picture. */
export function addTool(tool: HTMLElement): void {
  panel("picture").querySelector("#theme-picture")!.before(tool);
}

/** Hear of every picture that is shown. */
export function onPicture(listener: () => void): void {
  pictureListeners.add(listener);
}

let held = (): boolean => false;

/** While this says so, the puzzle itself is not drawn over what is on show. */
export function holdPicture(while_: () => boolean): void {
  held = while_;
}

export function current(): Shown | null {
  return shown;
}

export function stageElement(): HTMLElement {
  return stage;
}

export function makePicture(themes: string[]): void {
  caption = h("strong", { class: "caption" });
  state = h("span", { class: "faint", id: "picture-state" });
  stage = h("div", { class: "stage", id: "stage", role: "img", tabindex: "0", "data-main": "", "data-instead-of": "draw", "aria-label": "Picture" });
  asText = h("pre", { class: "as-plain", hidden: true, tabindex: "0", "aria-label": "Picture as text" });
  const theme = h("select", { "aria-label": "Colours of the picture", id: "theme-picture" });
  theme.append(h("option", { value: "" }, "as page"), ...themes.map((name) => h("option", { value: name }, name)));
  theme.value = settings.picked();
  theme.addEventListener("change", () => settings.pick(theme.value));
  const save = h("select", { "aria-label": "Save the picture", id: "save-picture" });
  save.append(h("option", { value: "" }, "Save…"), ...transport.formats.map((name) => h("option", { value: name }, name.toUpperCase())));
  save.addEventListener("change", () => {
    void keep(save.value);
    save.value = "";
  });
  const plain = button("Text", () => {
    asText.hidden = !asText.hidden;
    stage.hidden = !asText.hidden;
    plain.setAttribute("aria-pressed", String(!asText.hidden));
  }, { "aria-pressed": "false", title: "The picture as text" }); // prettier-ignore
  const tools = h(
    "div",
    { class: "tools" },
    caption,
    state,
    h("span", { class: "grow" }),
    button("−", () => zoomBy(1 / 1.25), { "aria-label": "Smaller", class: "quiet" }),
    button("Fit", () => zoomBy(0), { class: "quiet" }),
    button("+", () => zoomBy(1.25), { "aria-label": "Larger", class: "quiet" }),
    plain,
    theme,
    save,
  );
  panel("picture").append(tools, stage, asText);
  stage.addEventListener("pointerdown", pressed);
  stage.addEventListener("pointermove", dragged);
  stage.addEventListener("pointerup", released);
  stage.addEventListener("pointercancel", () => (press = null));
  stage.addEventListener("click", (event) => released(event, true));
  stage.addEventListener("keydown", alongCells);
  on("meaning", () => drawPuzzle());
  const dim = () => stage.classList.toggle("stale", faulty());
  on("analysis", dim);
  on("pending", dim);
  on("model", () => {
    shown = null;
    fill(stage);
  });
  settings.onTheme(drawAgain);
  onView(fit);
  onPaper();
}

/** What is printed is a page of its own: the title, the picture, and the rules as text. */
function onPaper(): void {
  const printed = h("section", { class: "printed", id: "printed", role: "main" });
  document.body.append(printed);
  addEventListener("beforeprint", () => {
    fill(printed, h("h1", {}, titleOf(model.text) || plainName()), shown && (asElement(shown.svg) ?? h("pre", {}, shown.text)), h("pre", {}, model.text));
    printed.classList.toggle("dark", settings.theme() === "dark");
  });
  addEventListener("afterprint", () => fill(printed));
}

/** Draw what is given. Called at each edit that changes what is asked. */
export function drawPuzzle(always = false): void {
  if (faulty()) return;
  const of = meaning();
  state.textContent = "";
  const remarks: Fault[] = [];
  const { text } = model;
  const slow = setTimeout(() => (state.textContent = "drawing…"), 400);
  void slot.ask(question("puzzle"), {
    picture: (picture) => {
      // An answer to the same model that was quicker is not painted over.
      if (held() && !always) return; // what is pencilled in is on show
      if (always || shown?.source === "puzzle" || shown?.source === "hand" || shown?.of !== of) showPicture({ ...picture, caption: "Puzzle", source: "puzzle" });
    },
    params: ({ params }) => setGrids(new Map(params.flatMap(({ name, grid }) => (grid ? [[name, grid]] : [])))),
    geometry: setGeometry,
    signs: ({ signs }) => setSigns(signs),
    fault: ({ faults }) => {
      remarks.push(...faults);
      stage.classList.toggle("stale", faults.some((fault) => fault.severity === "error"));
    },
    end: (end) => {
      clearTimeout(slow);
      if (failed(end)) return void (state.textContent = end.words);
      setRemarks(remarks, text, of);
      model.figures = end.figures ?? {};
      state.textContent = end.status === "done" || remarks.length ? "" : end.words;
    },
  });
}

/** What is on show in the colours that pictures have now. What is no puzzle and no answer keeps its colours until it is
 *  asked for again: to lose it would be worse. */
function drawAgain(): void {
  const before = shown;
  if (!before || before.source === "puzzle") return drawPuzzle(true);
  const choices = before.choices;
  if (!choices || before.of !== meaning() || faulty()) return;
  void slot.ask(question("drawn", { choices }), {
    picture: (picture) => shown === before && showPicture({ ...before, ...picture }),
  });
}

export function showPicture(next: Shown): void {
  shown = { of: meaning(), ...next };
  const element = asElement(next.svg);
  caption.textContent = next.caption;
  asText.textContent = next.text;
  stage.setAttribute("aria-label", `${next.caption}:\n${next.text}`);
  stage.dataset.source = next.source;
  stage.classList.remove("stale");
  for (const listener of pictureListeners) queueMicrotask(listener);
  stage.querySelector(":scope > :not(.reader)")?.remove(); // what is read stays, and is brought in line (reader.ts)
  if (!element) return stage.prepend(h("pre", {}, next.text)); // too large to be drawn
  element.removeAttribute("role");
  stage.prepend(element);
  fit();
  performance.mark("covr-picture", { detail: next.source });
}

function fit(): void {
  const element = stage.querySelector("svg");
  if (!element) return;
  const box = element.viewBox.baseVal;
  stage.classList.toggle("zoomed", zoom > 0);
  element.style.maxWidth = element.style.maxHeight = "";
  if (!zoom) {
    // Small pictures are not blown up to the whole pane.
    const most = view() ? ALONE : MOST_SCALE;
    element.style.maxWidth = `${box.width * most}px`;
    element.style.maxHeight = `${box.height * most}px`;
  }
  element.style.width = zoom ? `${box.width * zoom}px` : "";
  element.style.height = zoom ? `${box.height * zoom}px` : "";
}

function zoomBy(factor: number): void {
  const element = stage.querySelector("svg");
  if (!element) return;
  const now = element.getBoundingClientRect().width / (element.viewBox.baseVal.width || 1);
  zoom = factor === 0 ? 0 : Math.min(8, Math.max(0.1, now * factor));
  fit();
}

// A click is what is pressed and let go at the same place. A browser tells of none if the picture was drawn anew meanwhile,
// and with it the element that was pressed: then the end of the press is the click.
let press: { element: Element; at: string | null; clientX: number; clientY: number; far: boolean } | null = null;
const SHAKE = 6; // pixels that a pointer may move during a click

function placeOf(element: Element): string | null {
  return element.closest<SVGElement>("[data-at]")?.dataset.at ?? null;
}

function pressed(event: PointerEvent): void {
  const element = event.target as Element;
  press = event.button === 0 ? { element, at: placeOf(element), clientX: event.clientX, clientY: event.clientY, far: false } : null;
}

function dragged(event: PointerEvent): void {
  const mode = modes.find((one) => one.wanted());
  if (!press || !mode?.drag || !(event.buttons & 1)) return;
  const begins = !press.far;
  if (begins && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) <= SHAKE) return;
  if (begins) stage.setPointerCapture(event.pointerId);
  press.far = true;
  const steps = event.getCoalescedEvents?.() ?? [];
  for (const [at, to] of (steps.length ? steps : [event]).entries()) mode.drag(press, to, begins && at === 0);
}

function released(event: MouseEvent, click = false): void {
  if (click) {
    if ((press && !press.far) || event.detail === 0) clicked(event, placeOf(event.target as Element)); // 0: by keys, or by a screen reader
    press = null;
  } else if (press?.far) press = null;
  else if (press && !press.element.isConnected) {
    const { at, clientX, clientY } = press;
    press = null;
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) <= SHAKE) clicked({ clientX, clientY }, at);
  }
}

function clicked(point: { clientX: number; clientY: number }, at: string | null): void {
  const mode = modes.find((one) => one.wanted());
  if (mode) return mode.click(point, at);
  if (at) for (const listener of cellListeners) listener(at);
}

let pointed: SVGElement | null = null; // the cell that the arrow keys have reached

/** Arrow keys go to the nearest cell in their direction; Enter asks about it, as a click does. */
function alongCells(event: KeyboardEvent): void {
  const mode = modes.find((one) => one.wanted());
  if (mode) {
    if (!mode.key(event)) return;
    event.preventDefault();
    return event.stopPropagation();
  }
  const cells = [...stage.querySelectorAll<SVGElement>("[data-at]")];
  const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  if (!cells.length || (!way && event.key !== "Enter")) return;
  event.preventDefault();
  if (!way) return void (pointed?.isConnected && pointed.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  const middle = (cell: Element) => {
    const box = cell.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2] as const;
  };
  const from = pointed?.isConnected ? middle(pointed) : null;
  const far = (cell: SVGElement) => {
    if (!from) return 0; // the first cell
    const [x, y] = middle(cell);
    const along = (x - from[0]) * way[0] + (y - from[1]) * way[1];
    const beside = Math.abs((x - from[0]) * way[1]) + Math.abs((y - from[1]) * way[0]);
    return along > 1 ? along + 3 * beside : Infinity;
  };
  const next = cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best), cells.find((cell) => cell !== pointed)!);
  if (far(next) === Infinity) return;
  pointed?.classList.remove("lit");
  pointed = next;
  pointed.classList.add("lit");
  for (const listener of pointListeners) listener(next.dataset.at!);
}

async function keep(format: string): Promise<void> {
  if (!format || !shown) return;
  const name = `${plainName()}.${format}`;
  if (format === "svg") return download(name, new Blob([shown.svg], { type: "image/svg+xml" }));
  try {
    download(name, await postForBlob("/api/picture", { svg: shown.svg, format }));
  } catch (fault) {
    notice((fault as Error).message, "bad");
  }
}
