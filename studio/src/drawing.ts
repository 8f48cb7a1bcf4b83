// What of the text can be drawn, and strokes that change it: the server says what a stroke writes.
//
// While a stroke goes on, all of it is asked again and again and only shown; the text is edited once, at its end, so that
// it is undone at once, and always by the editor's own undo.

import { isolateHistory, redo, undo } from "@codemirror/commands";
import { textVersion } from "./analyse.ts";
import { announce } from "./dom.ts";
import { editor } from "./editor.ts";
import { notice } from "./notices.ts";
import { model, on, setData } from "./store.ts";
import type { Edit, Layer, Layers } from "./types.ts";
import { PAGE, post } from "./wire.ts";

export type Stroke = { do: string; layer?: string } & Record<string, unknown>;
interface Drawn extends Layers {
  edits?: Edit[];
  data?: Record<string, string>;
  refused?: string;
  stale?: boolean;
}

export const drawing = {
  layers: null as Layers | null,
  symmetry: "none",
};

const listeners = new Set<() => void>();
const watchers = new Set<() => boolean>();
let asked = ""; // the text and data that the layers are of
let turn = 0;

/** Hear whenever the layers are others. */
export function onLayers(listener: () => void): void {
  listeners.add(listener);
}

/** Layers are kept up to date while any of these says that somebody looks at them. */
export function whileWanted(wanted: () => boolean): void {
  watchers.add(wanted);
}

export function startDrawing(): void {
  on("analysis", () => void refresh());
  on("model", () => {
    asked = "";
    turn++;
    drawing.layers = null;
    tell();
  });
}

function tell(): void {
  for (const listener of listeners) listener();
}

function state(): string {
  return JSON.stringify([model.text, model.data]);
}

function request(more: object): object {
  return { page: PAGE, name: model.name, text: model.text, data: model.data, version: textVersion(), ...more };
}

/** See to it that the layers are those of the text as it is now. */
export async function refresh(): Promise<void> {
  if (![...watchers].some((wanted) => wanted())) return;
  const now = state();
  if (now === asked) return;
  asked = now;
  const mine = ++turn;
  const found = await post<Drawn>("/api/layers", request({})).catch(() => null);
  if (mine !== turn) return;
  if (!found || found.stale) return void (asked = "");
  drawing.layers = found;
  tell();
}

/** Wait until the layers of the text as it is now are known. */
export async function layersKnown(): Promise<void> {
  await refresh();
  if (!drawing.layers) await new Promise<void>((known) => {
    const heard = () => drawing.layers && listeners.delete(heard) && known();
    listeners.add(heard);
  }); // prettier-ignore
}

export function layerNamed(name: string): Layer | undefined {
  return drawing.layers?.layers.find((layer) => layer.name === name);
}

/** Strokes, or what makes them when their turn comes, if they depend on what was drawn before them. */
export type Strokes = Stroke[] | (() => Stroke[]);
interface Work {
  strokes: Strokes;
  commit: boolean;
  symmetry: string;
  done: (good: boolean) => void;
}
const TIMES = 100; // how often a stroke is asked again while the text is edited at the same time
const PAUSE = 20; // milliseconds between them

let underWay = false;
const waiting: Work[] = []; // edits in the order in which they were made; at most the last of them is only to be shown

/** Show what some strokes make of the text; with `commit`, edit it. Says whether that could be done. */
export function draw(strokes: Strokes, commit = true, symmetry = drawing.symmetry): Promise<boolean> {
  return new Promise((done) => {
    const last = waiting.at(-1);
    if (last && !last.commit) waiting.pop()!.done(false);
    waiting.push({ strokes, commit, symmetry, done });
    void work();
  });
}

async function work(): Promise<void> {
  if (underWay) return; // what is under way is followed by the rest
  underWay = true;
  for (let now = waiting.shift(); now; now = waiting.shift()) now.done(await one(now));
  underWay = false;
  for (const go of settled.splice(0)) go();
}

const settled: (() => void)[] = [];

/** Do something as soon as everything that was drawn is in the text. */
function whenSettled(act: () => void): void {
  if (underWay) settled.push(act);
  else act();
}

async function one({ strokes: how, commit, symmetry }: Work): Promise<boolean> {
  for (let times = 0; times < TIMES; times++) {
    const now = state();
    const strokes = typeof how === "function" ? how() : how;
    if (!strokes.length) return false;
    let found: Drawn;
    try {
      found = await post<Drawn>("/api/draw", request({ strokes, symmetry }));
    } catch (fault) {
      notice((fault as Error).message, "bad");
      return false;
    }
    if (found.stale || (commit && state() !== now)) {
      await new Promise((go) => setTimeout(go, PAUSE)); // the text was edited meanwhile: once more
      continue;
    }
    if (found.refused) {
      if (commit) refuse(found.refused);
      asked = "";
      void refresh();
      return false;
    }
    turn++;
    drawing.layers = found;
    if (commit) apply(found);
    tell();
    if (!asked) void refresh();
    return true;
  }
  notice("The text was edited all the time: this was not drawn.", "bad");
  return false;
}

function refuse(why: string): void {
  notice(why[0]!.toUpperCase() + why.slice(1) + ".", "bad");
  announce(why);
}

function apply({ edits = [], data = {} }: Drawn): void {
  for (const [name, value] of Object.entries(data)) setData(name, value);
  const view = editor();
  if (edits.length) {
    const changes = edits.map(({ start, end, text }) => least(view.state.sliceDoc(start, end), text, start));
    view.dispatch({ changes, userEvent: "input.draw", annotations: isolateHistory.of("full") });
  }
  asked = edits.some(({ start, end }) => start === end) ? "" : state(); // a new layer is not among those that are told
  performance.mark("covr-drawn");
}

/** The smallest edit between two texts, so that a cursor elsewhere in the block stays where it is. */
function least(old: string, now: string, start: number): { from: number; to: number; insert: string } {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return { from: start + head, to: start + old.length - tail, insert: now.slice(head, now.length - tail) };
}

/** Take the last edit back, once everything that was drawn is in the text. */
export function undoDrawing(): void {
  whenSettled(() => undo(editor()) || announce("Nothing to undo."));
}

export function redoDrawing(): void {
  whenSettled(() => redo(editor()) || announce("Nothing to do again."));
}
