// Solving by hand: choices are pencilled into the picture, and are as good as given until they are taken back.

import { boardPoint, overlay } from "./board_points.ts";
import { s } from "./canvas.ts";
import { announce, button, fill, h } from "./dom.ts";
import { failed, Slot } from "./jobs.ts";
import { markClash } from "./light.ts";
import { cleared, COLOURS, type Kind, KINDS, lined, type Marks, NONE, noted, noteWords, showNotes } from "./notes.ts";
import { isShown, onPane, panel } from "./panes.ts";
import { addMode, current, drawPuzzle, holdPicture, onPicture, question, showPicture, stageElement } from "./picture.ts";
import { allPlaces, type Places, placesOf } from "./places.ts";
import { choicesIn, type Known, readAgain, readPlace, whoKnows } from "./reader.ts";
import { Standing } from "./progress.ts";
import { settings } from "./settings.ts";
import { stopButton } from "./stop.ts";
import { faulty, isPending, meaning, model, on, setMarks } from "./store.ts";
import type { Hint, JobEvents } from "./types.ts";
import { onView, restart, showView, timeBoard, timeTaken, view } from "./views.ts";
import { list, sentence } from "./why.ts";

const CLEAR: Marks = { taken: [], out: [], notes: NONE };

interface Place {
  at: string; // as the picture names it, such as 0:1,3
  x: number;
  y: number;
  choices: string[];
  border: boolean; // between two places, where a line crosses
  given: boolean; // something stands there that the givens settle
}

const MOST_PICKS = 60; // choices of one place that are offered

const drawSlot = new Slot();
const askSlot = new Slot();
const standing = new Standing();
let marks = CLEAR;
let undone: Marks[] = [];
let redone: Marks[] = [];
let of = ""; // the meaning of the model that the marks are of
let known: Places | null = null;
let spots: Place[] = [];
let cursor: Place | null = null;
let selected: Place[] = []; // with the cursor
let kind: Kind | "answer" = "answer"; // what signs are written as
let wrong: string[] = [];
let kinds: HTMLElement;
let picks: HTMLElement;
let said: HTMLElement;
let verdict: HTMLElement;
let buttons: Record<string, HTMLButtonElement> = {};
let live: HTMLInputElement;
let early: (() => void)[] = []; // clicks and keys that came before it was known which places there are
let clashed = false; // what is pencilled in breaks rules

export function makeHand(): void {
  live = h("input", { type: "checkbox", id: "hand-candidates", checked: settings.read("hand-candidates") === "yes" });
  live.addEventListener("change", () => {
    settings.write("hand-candidates", live.checked ? "yes" : "no");
    show();
  });
  const press = (name: string, label: string, run: () => void, title: string, more: object = {}) => (buttons[name] = button(label, run, { id: `hand-${name}`, title, ...more }));
  verdict = h("p", { class: "verdict", role: "status", "aria-live": "polite", id: "hand-verdict" });
  kinds = h("div", { class: "row kinds", id: "hand-kinds", role: "group", "aria-label": "What is written" });
  kinds.append(...KINDS.map(([name, label, words]) => button(label, () => write(name), { class: "small", "data-kind": name, "aria-pressed": String(name === kind), title: words })));
  picks = h("div", { class: "row picks", id: "hand-picks", role: "group", "aria-label": "What can be pencilled in here" });
  said = h("div", { class: "reasons", id: "hand-said" });
  panel("hand").append(
    h(
      "div", { class: "tools" },
      press("check", "Check", check, "Is it right so far?", { class: "primary", "data-main": "" }),
      press("hint", "Hint", hint, "The next step that a person would take"),
      h(
        "span", { class: "together" },
        press("undo", "Undo", undo, "Take the last mark back (Ctrl+Z)"), press("redo", "Redo", redo, "Do it again (Ctrl+Y)", { class: "quiet" }),
      ),
      press("clear", "Clear", clear, "Take all marks back"),
      h("span", { class: "together" }, live, h("label", { for: "hand-candidates" }, "candidates")), h("span", { class: "grow" }), stopButton(askSlot),
      button("Board alone", () => showView("solve"), { id: "show-solve", title: "The board at full width, without the text" }),
    ),
    verdict, kinds, picks, standing.element, said,
    h("p", { class: "faint hint-line" }, "Click a place of the picture, or go there with the arrow keys; type what stands there, or press Space. x crosses out, Backspace takes back."),
  ); // prettier-ignore
  onPane("hand", begin, leave);
  on("meaning", () => isShown("hand") && begin());
  on("model", () => {
    marks = model.marks ?? CLEAR; // as they were left
    undone = [];
    redone = [];
    of = "";
    forget();
  });
  holdPicture(() => isShown("hand"));
  onPicture(decorate);
  settings.onTheme(() => isShown("hand") && show());
  addMode({ wanted: () => isShown("hand") && (!faulty() || (!known && isPending())), click, key, drag });
  on("analysis", () => faulty() && (early = []));
  for (const news of ["analysis", "pending"] as const) on(news, showButtons);
  whoKnows(knownOf);
  onView(() => view() === "solve" && begun());
  showButtons();
}

function forget(): void {
  early = [];
  drawSlot.drop();
  askSlot.drop();
  known = null;
  spots = [];
  goNowhere();
  wrong = [];
  fill(said);
  fill(picks);
  fill(verdict);
  standing.end({ status: "", words: "" });
  showButtons();
}

/** The pane comes into sight, or the model has changed: marks that are choices still are kept. */
function begin(): void {
  if (faulty()) return;
  if (of !== meaning()) {
    of = meaning();
    known = null;
    goNowhere();
    wrong = [];
    fill(said);
  }
  show();
  void learn();
}

/** The board stands alone: keys are for it, from the place that is chosen on, or from the first that is free. */
function begun(): void {
  stageElement().focus({ preventScroll: true });
  const free = spots.find((spot) => !spot.given && !spot.choices.some((one) => marks.taken.includes(one)));
  if (!cursor && free) goTo(free);
}

function leave(): void {
  drawSlot.drop();
  markClash([]);
  if (current()?.source === "hand") drawPuzzle(); // the marks are no part of what other panes ask
}

async function learn(): Promise<void> {
  if (known) return;
  const mine = of;
  const found = await allPlaces();
  if (mine !== of) return;
  known = found;
  spots = places(found);
  decorate();
  if (view() === "solve") begun();
  for (const act of early.splice(0)) act();
}

/** The places at which something can be pencilled in: those of the picture, and the borders that lines cross. */
function places(found: Places): Place[] {
  const point = (at: string) => {
    const [row, col] = at.split(":")[1]!.split(",").map(Number) as [number, number];
    return { x: col, y: row };
  };
  const all = new Map<string, Place>();
  for (const [choice, where] of found.of) {
    const line = where.length === 2 && found.texts.get(choice) === "";
    const [a, b] = where as [string, string];
    const keys = line ? [`${a} ${b}`] : where;
    for (const at of keys) {
      const middle = line ? { x: (point(a).x + point(b).x) / 2, y: (point(a).y + point(b).y) / 2 } : point(at);
      const place = all.get(at) ?? { at, ...middle, choices: [], border: line, given: found.given.has(at) };
      place.choices.push(choice);
      all.set(at, place);
    }
  }
  return [...all.values()].sort((a, b) => a.y - b.y || a.x - b.x);
}

// --- marks ---

/** Other marks; `joined` to those before, so that both are undone at once. */
function change(next: Marks, joined = false): void {
  if (!joined) undone.push(marks);
  redone = [];
  set(next);
}

function set(next: Marks): void {
  const answers = next.taken !== marks.taken || next.out !== marks.out;
  marks = next;
  setMarks(marks);
  if (!answers) {
    showButtons();
    return decorate(); // nobody else knows of notes
  }
  wrong = [];
  fill(said);
  standing.end({ status: "", words: "" });
  performance.mark("covr-pencil");
  show();
  offer();
  if (cursor) tellPlace(cursor);
}

/** Take all marks back. Who has solved the board solves it anew, with a time of its own. */
function clear(): void {
  if (verdict.dataset.count === "one") restart();
  change(CLEAR);
}

function undo(): void {
  const last = undone.pop();
  if (!last) return announce("Nothing to undo.");
  redone.push(marks);
  set(last);
}

function redo(): void {
  const next = redone.pop();
  if (!next) return announce("Nothing to do again.");
  undone.push(marks);
  set(next);
}

function without(choices: string[], from = marks): Marks {
  return { ...from, taken: from.taken.filter((one) => !choices.includes(one)), out: from.out.filter((one) => !choices.includes(one)) };
}

function withTaken(choice: string, place: Place, from = marks): Marks {
  const rest = without(alone(place) ? place.choices : [choice], from);
  return { ...rest, taken: [...rest.taken, choice] };
}

function withOut(choices: string[], from = marks): Marks {
  const rest = without(choices, from);
  return { ...rest, out: [...rest.out, ...choices] };
}

/** Whether the givens settle what stands at a place, which is said. */
function isGiven({ given, at }: Place): boolean {
  if (given) announce(`Place ${at.replace(/\d+:/g, "")} is given.`);
  return given;
}

/** Take a choice, or take it back; other choices of the place that only one can stand in go. What writes the same is taken
 *  at all places that are selected. */
function take(choice: string, place: Place): void {
  const text = known!.texts.get(choice);
  const twin = (spot: Place) => (spot === place ? choice : spot.choices.find((one) => text && known!.texts.get(one) === text));
  const here = selected.filter((spot) => !spot.given).flatMap((spot) => (twin(spot) ? [[twin(spot)!, spot] as const] : []));
  const all = here.every(([one]) => marks.taken.includes(one));
  change(here.reduce((now, [one, spot]) => (all ? without([one], now) : withTaken(one, spot, now)), marks));
}

/** Whether the choices of a place are values of which it holds one, as far as the texts tell. */
function alone(place: Place): boolean {
  return !place.border && place.choices.every((choice) => (known?.of.get(choice)?.length ?? 0) === 1);
}

function crossOut(choices: string[]): void {
  change(choices.every((one) => marks.out.includes(one)) ? without(choices) : withOut(choices));
}

/** What a click does to a place of few choices: each of them in turn, then crossed out, then nothing. */
function turn(place: Place): void {
  if (isGiven(place)) return;
  const order = place.choices;
  const now = order.findIndex((one) => marks.taken.includes(one));
  const crossed = order.some((one) => marks.out.includes(one));
  if (crossed) return change(without(order));
  if (now + 1 < order.length) return change(withTaken(order[now + 1]!, place, without(order)));
  if (order.length > 1) return change(without(order));
  crossOut(order);
}

const FEW = 2; // choices of a place through which clicks turn

// --- the picture ---

function show(): void {
  if (!isShown("hand") || faulty()) return;
  showButtons();
  let clashes: JobEvents["clashes"] = { clashes: [], more: 0 };
  let dead = false;
  let note = "";
  void drawSlot.ask(question("hand", { ...answered(), candidates: live.checked }), {
    picture: (picture) => showPicture({ ...picture, caption: "By hand", source: "hand" }),
    clashes: (found) => (clashes = found),
    left: ({ solvable }) => (dead = solvable === false),
    note: ({ text }) => (note = text),
    hand: ({ solved }) => {
      tell(solved, clashes, dead, note);
      timeBoard(solved);
      if (!solved && !clashes.clashes.length && isFull()) check();
      showButtons();
    },
    fault: ({ faults }) => fill(verdict, faults[0]?.message ?? ""),
    end: (end) => {
      if (failed(end) || end.status === "limit") fill(verdict, end.words);
      performance.mark("covr-hand");
    },
  });
}

function answered(): { taken: string[]; out: string[] } {
  return { taken: marks.taken, out: marks.out };
}

/** Whether every place of many values has one. */
function isFull(): boolean {
  const valued = spots.filter(({ choices, given }) => choices.length > FEW && !given);
  return valued.length > 0 && valued.every(({ choices }) => choices.some((one) => marks.taken.includes(one)));
}

/** Green when it is solved, red with the rules that clash. */
function tell(solved: boolean, { clashes, more }: JobEvents["clashes"], dead: boolean, note: string): void {
  const bad = clashes.length > 0 || dead;
  verdict.dataset.count = bad ? "none" : solved ? "one" : "many";
  if (!bad) {
    fill(verdict, solved ? `Solved${timeTaken()}!` : note);
    if (clashed) announce("Nothing clashes any more.");
    clashed = false;
    return markClash([]);
  }
  clashed = true;
  const names = [...new Set(clashes.map(({ rule }) => rule))];
  fill(
    verdict,
    ...(clashes.length
      ? [h("ul", { class: "plain-faults", id: "hand-clashes" }, ...clashes.map(({ rule, how }) => h("li", {}, h("strong", {}, rule || "a rule"), `: ${how}`))), more > 0 && h("span", {}, `and ${more} more`)]
      : ["With these marks there is no answer."]),
  );
  announce(clashes.length ? `Against ${names.slice(0, 3).join(", ")}` : "No answer with these marks");
  markClash([...new Set(clashes.flatMap(({ choices }) => choices))]);
}

/** Marks that the picture itself does not show: what is crossed out, what is wrong, and where the cursor is. */
function decorate(): void {
  if (!isShown("hand") || !known) return overlay("hand", [], () => s("g", {}));
  const crossed = spots.filter(({ choices }) => choices.length <= FEW && choices.some((one) => marks.out.includes(one)));
  overlay("crossed", crossed.map(({ x, y, border }) => (border ? { x, y } : { x: x + 0.3, y: y - 0.3 })), (x, y, side) => {
    const d = side * 0.12; // in a corner of a square, where no number stands
    return s("path", { d: `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}`, class: "crossed" });
  }); // prettier-ignore
  const several = spots.filter(({ choices }) => choices.length > FEW && choices.some((one) => marks.out.includes(one)));
  overlay("struck", several.map((place) => ({ ...place, y: place.y + 0.36 })), (x, y, side) => {
    const place = several.shift()!;
    const texts = place.choices.filter((one) => marks.out.includes(one)).map((one) => known!.texts.get(one) ?? "").join("");
    return s("text", { x, y, class: "struck", "font-size": side * 0.2, "text-anchor": "middle" }, `not ${texts}`);
  }); // prettier-ignore
  showNotes(marks.notes, (at) => (known!.at.get(at) ?? []).some((one) => marks.taken.includes(one)));
  const rings = [...selected];
  overlay("hand", selected, (x, y, side) => {
    const half = side * (rings.shift()!.border ? 0.2 : 0.44);
    return s("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: side * 0.1, class: "ring" });
  }); // prettier-ignore
  void placesOf(wrong).then((found) => {
    for (const cell of stageElement().querySelectorAll<SVGElement>("[data-at]")) cell.classList.toggle("wrong", found.includes(cell.dataset.at!));
    readAgain();
  });
}

/** What is told of a place to those who do not see it. */
function knownOf(at: string, written: string[]): Known | null {
  if (!isShown("hand") || !known) return null;
  const here = known.at.get(at) ?? [];
  const out = here.filter((one) => marks.out.includes(one));
  const place = spots.find((spot) => spot.at === at);
  const values = out.map((one) => known!.texts.get(one)).filter(Boolean);
  const crossed = out.length === 0 ? [] : place && place.choices.length > FEW && values.length ? [`not ${values.join(", ")}`] : choicesIn(at, out).map((one) => `${one} crossed out`);
  const fixed = written.length === 1 && known.given.has(at); // and not what a hint shows
  return { words: [...choicesIn(at, marks.taken, written), ...crossed, ...noteWords(marks.notes, at)], fixed };
}

function click(event: { clientX: number; clientY: number; shiftKey?: boolean }, at: string | null): void {
  stageElement().focus({ preventScroll: true });
  if (!known) return void early.push(() => click(event, at));
  const place = placeAt(event, at);
  if (!place) return;
  goTo(place, event.shiftKey);
  if (place.choices.length <= FEW && (kind === "answer" || place.border)) turn(place);
}

function placeAt(event: { clientX: number; clientY: number }, at: string | null): Place | null {
  const point = boardPoint(event);
  let place: Place | null = null;
  const borders = spots.some(({ border }) => border);
  if (borders && point) {
    let least = 0.6;
    for (const spot of spots) {
      const far = Math.hypot(spot.x - point.x, spot.y - point.y) * (spot.border ? 1 : 1.4);
      if (far < least) [place, least] = [spot, far];
    }
  } else place = spots.find((spot) => spot.at === at) ?? null;
  return place;
}

// What a pointer does that is led over the picture: from place to place it draws lines, paints what few choices there are as
// the first place was turned, and otherwise selects.
let stroke: { last: string | null; on: boolean | null; like: Place | null } = { last: null, on: null, like: null };

function drag(from: { clientX: number; clientY: number }, to: { clientX: number; clientY: number }, begins: boolean): void {
  if (!known || !spots.length) return;
  if (kind === "line" || (kind === "answer" && spots.some(({ border }) => border))) return line(from, to, begins);
  const under = (point: typeof to) => document.elementFromPoint(point.clientX, point.clientY)?.closest<SVGElement>("[data-at]")?.dataset.at ?? null;
  if (begins) {
    const first = placeAt(from, under(from));
    stroke = { last: null, on: null, like: null };
    if (first) goTo(first);
    if (first && first.choices.length <= FEW && kind === "answer") turn((stroke.like = first));
  }
  const place = placeAt(to, under(to));
  if (!place || selected.includes(place)) return;
  const { like } = stroke;
  goTo(place, true);
  if (!like || place.given || place.choices.length > FEW) return;
  const at = like.choices.findIndex((one) => marks.taken.includes(one));
  const out = like.choices.some((one) => marks.out.includes(one));
  const choice = place.choices[at];
  change(choice ? withTaken(choice, place, without(place.choices)) : out ? withOut(place.choices) : without(place.choices), true);
}

/** A line from place to place: of the answer, where the model draws lines there, and else a note. */
function line(from: { clientX: number; clientY: number }, to: { clientX: number; clientY: number }, begins: boolean): void {
  const near = (event: typeof to) => {
    const point = boardPoint(event);
    const [x, y] = point ? [Math.round(point.x), Math.round(point.y)] : [0, 0];
    const at = `0:${y},${x}`;
    return point && Math.hypot(point.x - x, point.y - y) < 0.42 && stageElement().querySelector(`[data-at="${at}"]`) ? at : null;
  };
  if (begins) stroke = { last: near(from), on: null, like: null };
  const [at, { last }] = [near(to), stroke];
  if (!at || at === last) return;
  stroke.last = at;
  const [[r, c], [i, j]] = [last ?? "0:-9,-9", at].map((one) => one.slice(2).split(",").map(Number)) as [[number, number], [number, number]];
  if (Math.max(Math.abs(r - i), Math.abs(c - j)) !== 1) return;
  const keys = [`${last} ${at}`, `${at} ${last}`];
  const place = spots.find((spot) => spot.border && keys.includes(spot.at));
  const choice = place?.choices[0];
  const key = keys.find((one) => marks.notes.lines.includes(one)) ?? keys[0]!;
  const joined = stroke.on !== null;
  stroke.on ??= !(choice ? marks.taken.includes(choice) : marks.notes.lines.includes(key));
  if (choice) change(stroke.on ? withTaken(choice, place) : without([choice]), joined);
  else change({ ...marks, notes: lined(marks.notes, key, stroke.on) }, joined);
}

/** Write signs as answers or as notes of some kind. */
function write(name: typeof kind): void {
  kind = name;
  for (const each of kinds.querySelectorAll<HTMLElement>("button")) each.setAttribute("aria-pressed", String(each.dataset.kind === name));
  offer();
  stageElement().focus({ preventScroll: true });
}

function note(sign: string, as: Exclude<Kind, "line">): void {
  const places = selected.filter(({ border, given }) => !border && (as === "colour" || !given)).map(({ at }) => at);
  if (places.length) change({ ...marks, notes: noted(marks.notes, places, as, sign) });
}

function goNowhere(): void {
  cursor = null;
  selected = [];
}

/** Go to a place; with those that were selected before, if it is one of `several`. */
function goTo(place: Place, several = false): void {
  selected = several ? [...selected.filter((one) => one !== place), place] : [place];
  cursor = place;
  offer();
  decorate();
  if (!place.border && readPlace(place.at)) return;
  tellPlace(place);
}

/** What is pencilled in at a place, to those who do not see it. */
function tellPlace(place: Place): void {
  const taken = place.choices.filter((one) => marks.taken.includes(one)).map((one) => known!.texts.get(one) || "taken");
  const crossed = place.choices.some((one) => marks.out.includes(one));
  announce(`${place.border ? "Line" : "Place"} ${place.at.replace(/\d+:/g, "")}: ${taken.join(" ") || (crossed ? "crossed out" : "open")}`);
}

/** The choices of the place that is chosen, as buttons. */
function offer(): void {
  if (!cursor || !known) return fill(picks);
  const place = cursor;
  if (kind !== "answer") return fill(picks, ...notesOffered(place, kind));
  const label = (one: string) => (alone(place) ? known!.texts.get(one) || one : one);
  if (place.given) return fill(picks, h("span", { class: "faint" }, `Place ${place.at.replace(/^\d+:/, "")} is given.`));
  const picked = place.choices.slice(0, MOST_PICKS).map((one) =>
    button(label(one), () => (take(one, place), stageElement().focus()), {
      class: "small", "aria-pressed": String(marks.taken.includes(one)), "data-choice": one, "data-out": marks.out.includes(one) ? "yes" : undefined, title: one,
    }), // prettier-ignore
  );
  const open = place.choices.filter((one) => marks.taken.includes(one));
  fill(
    picks,
    h("span", { class: "faint" }, place.border ? "Line" : `Place ${place.at.replace(/^\d+:/, "")}`),
    ...picked,
    place.choices.length > MOST_PICKS && h("span", { class: "faint" }, `and ${place.choices.length - MOST_PICKS} more`),
    place.choices.length <= FEW && button("✕", () => (crossOut(place.choices.slice(0, 1)), stageElement().focus()), { class: "small", "aria-label": "Cross out" }),
    open.length > 0 && button("Take back", () => (takeBack(), stageElement().focus()), { class: "small quiet" }),
  );
}

/** What can be noted at a place, as buttons. */
function notesOffered(place: Place, as: Kind): HTMLElement[] {
  if (as === "line") return [h("span", { class: "faint" }, "Lead the pointer from place to place.")];
  const back = () => stageElement().focus();
  if (as === "colour") return COLOURS.map((name) => button("", () => (note(name, as), back()), { class: `small swatch ${name}`, "aria-label": name, title: name, "data-sign": name }));
  const texts = [...new Set(place.choices.map((one) => known!.texts.get(one) ?? ""))].filter((text) => [...text].length === 1);
  const signs = texts.length > 1 ? texts : [..."123456789"];
  return signs.map((sign) => button(sign, () => (note(sign, as), back()), { class: "small", "data-sign": sign }));
}

const WAYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let striking = false; // x was pressed: the next sign is crossed out

function key(event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  const name = event.key.toLowerCase();
  if (command && name === "z") return (event.shiftKey ? redo() : undo(), true);
  if (command && name === "y") return (redo(), true);
  if (command || event.altKey) return false;
  const way = WAYS[event.key];
  if (!known && (way || /^([^]|Enter|Backspace|Delete)$/u.test(event.key))) return (early.push(() => void key(event)), true);
  if (!spots.length) return false;
  if (way) return (along(way, event.shiftKey), true);
  if (!cursor) return false;
  if (event.key === "Backspace" || event.key === "Delete") return (takeBack(), true);
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
  if (digit && event.shiftKey) return (note(digit, "corner"), true);
  if (event.key === " " || event.key === "Enter") {
    if (cursor.choices.length <= FEW) turn(cursor);
    else picks.querySelector("button")?.focus();
    return true;
  }
  if ([...event.key].length !== 1) return false;
  return sign(event.key, cursor);
}

/** What is pencilled in at the places that are selected goes; where nothing is, their notes. */
function takeBack(): void {
  const choices = selected.flatMap((place) => place.choices);
  const any = choices.some((one) => marks.taken.includes(one) || marks.out.includes(one));
  const notes = cleared(marks.notes, selected.map(({ at }) => at));
  if (any) change(without(choices));
  else if (notes) change({ ...marks, notes });
}

/** A sign is written, and one after an x is crossed out. */
function sign(typed: string, place: Place): boolean {
  if (kind === "corner" || kind === "centre") return (note(typed, kind), true);
  if (kind === "colour") return (COLOURS[Number(typed) - 1] && note(COLOURS[Number(typed) - 1]!, kind), true);
  if (isGiven(place)) return true;
  const found = place.choices.filter((one) => (known!.texts.get(one) ?? "").toLowerCase() === typed.toLowerCase());
  if (found.length && striking) {
    striking = false;
    return (crossOut(found), true);
  }
  if (found.length) return (take(found[0]!, place), true);
  if (typed !== "x") return false;
  if (place.choices.length <= FEW) return (crossOut(place.choices.slice(0, 1)), true);
  striking = !striking;
  announce("The next sign is crossed out.");
  return true;
}

function along([dx, dy]: [number, number], several: boolean): void {
  const from = cursor;
  if (!from) return goTo(spots[0]!);
  const far = (spot: Place) => {
    const ahead = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const beside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    return ahead > 0.01 ? ahead + 3 * beside : Infinity;
  };
  const next = spots.reduce((best, spot) => (far(spot) < far(best) ? spot : best), from);
  if (far(next) === Infinity) return;
  goTo(next, several);
}

// --- questions ---

function showButtons(): void {
  const bad = faulty();
  buttons.check!.disabled = bad;
  buttons.hint!.disabled = bad;
  buttons.undo!.disabled = !undone.length;
  buttons.redo!.disabled = !redone.length;
  buttons.clear!.disabled = !model.marks;
}

export function check(): void {
  if (faulty()) return;
  fill(said);
  standing.begin("Checking…");
  void askSlot.ask(question("check", answered()), {
    checked: ({ verdict: how, words, wrong: found }) => {
      wrong = found;
      fill(said, h("p", { class: how === "wrong" ? "bad" : "", id: "hand-checked", "data-verdict": how }, `${words[0]!.toUpperCase()}${words.slice(1)}.`));
      announce(`${words[0]!.toUpperCase()}${words.slice(1)}.`, true);
      if (found.length) said.append(button("Take these back", () => change(without(found)), { class: "small", id: "hand-mend" }));
      decorate();
    },
    progress: (now) => standing.progress(now),
    fault: ({ faults }) => fill(said, faults[0]?.message ?? ""),
    end: (end) => standing.end(end, end.status === "done" ? "" : end.words),
  });
}

function hint(): void {
  fill(said);
  standing.begin("Looking for the next step…");
  void askSlot.ask(question("hint", { ...answered(), window: 1 }), {
    hint: (found) => {
      fill(said, step(found));
      announce(sentence(found.text.split("\n")[0] ?? ""), true);
      standing.end({ status: "paused", words: "" });
      if (found.svg) showPicture({ svg: found.svg, text: found.text, caption: "Hint", source: "hand" });
    },
    pause: () => askSlot.drop(), // the next hint is asked anew, from other marks
    progress: (now) => standing.progress(now),
    fault: ({ faults }) => fill(said, faults[0]?.message ?? ""),
    end: (end) => standing.end(end, end.words && sentence(end.words) + "."),
  });
}

/** A step with its reasons, and a button that takes it. */
function step(found: Hint): HTMLElement {
  const [head = ""] = found.text.split("\n");
  const shown = h("div", { class: "reason" }, h("p", { class: "head" }, `${sentence(head)}.`));
  for (const { rules, said } of found.reasons) {
    shown.append(h("div", { class: "because" }, h("p", {}, h("strong", {}, sentence(said))), list(rules)));
  }
  const take = () => {
    const rest = withOut(found.out, without(found.taken));
    change({ ...rest, taken: [...rest.taken, ...found.taken] });
  };
  shown.append(button("Do it", take, { class: "small", id: "hand-do" }));
  return shown;
}
