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

export function layerNamed(name: string): Layer | undefined {
  return drawing.layers?.layers.find((layer) => layer.name === name);
}

let underWay = false;
let next: { strokes: Stroke[]; commit: boolean; symmetry: string; done: (good: boolean) => void } | null = null;

/** Show what some strokes make of the text; with `commit`, edit it. Says whether that could be done. */
export function draw(strokes: Stroke[], commit = true, symmetry = drawing.symmetry): Promise<boolean> {
  return new Promise((done) => {
    if (next && !next.commit) next.done(false);
    else if (next) return queue(strokes, commit, symmetry, done); // an edit is never passed over
    next = { strokes, commit, symmetry, done };
    void work();
  });
}

function queue(strokes: Stroke[], commit: boolean, symmetry: string, done: (good: boolean) => void): void {
  setTimeout(() => void draw(strokes, commit, symmetry).then(done), 10);
}

async function work(): Promise<void> {
  if (underWay) return; // the request under way is followed by the next one
  underWay = true;
  while (next) {
    const { strokes, commit, symmetry, done } = next;
    next = null;
    done(await one(strokes, commit, symmetry));
  }
  underWay = false;
}

async function one(strokes: Stroke[], commit: boolean, symmetry: string): Promise<boolean> {
  for (let times = 0; times < 5; times++) {
    const now = state();
    let found: Drawn;
    try {
      found = await post<Drawn>("/api/draw", request({ strokes, symmetry }));
    } catch (fault) {
      notice((fault as Error).message, "bad");
      return false;
    }
    if (found.stale || (commit && state() !== now)) continue; // the text was edited meanwhile: once more
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

export function undoDrawing(): void {
  if (!undo(editor())) announce("Nothing to undo.");
}

export function redoDrawing(): void {
  if (!redo(editor())) announce("Nothing to do again.");
}
