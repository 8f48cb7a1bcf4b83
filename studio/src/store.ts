// What is being worked on: the model's text and its data. Panes read it here and hear when it changes.

import type { Marks } from "./notes.ts";
import type { Analysis, Data, Fault, Geometry, Grid, Param } from "./types.ts";

type News = "leave" | "pending" | "text" | "data" | "marks" | "analysis" | "meaning" | "model" | "remarks" | "params" | "geometry";
type Listener = () => void;

const listeners = new Map<News, Set<Listener>>();

export function on(news: News, listener: Listener): void {
  if (!listeners.has(news)) listeners.set(news, new Set());
  listeners.get(news)!.add(listener);
}

function tell(news: News): void {
  for (const listener of listeners.get(news) ?? []) listener();
}

export const model = {
  name: "model.cover", // what messages call the text
  path: null as string | null, // the file of the folder that it was read from
  seen: null as string | null, // the hash of that file when it was read
  kept: "", // the text as it was last read or saved
  text: "",
  data: {} as Data,
  marks: null as Marks | null, // what is solved by hand; null while nothing is
  spent: 0, // seconds of solving
  foreign: false, // whether it came by a link, and may not read files before somebody allows it
  analysis: null as Analysis | null,
  looked: "", // the text that it is about
  remarks: [] as Fault[], // what compiling the model with its data found, besides what its text alone tells
  figures: {} as Record<string, unknown>, // of the compiled model: its goal, its families, how many promises it makes
  grids: new Map<string, Grid>(), // grids as the compiled model has them, where the text alone does not tell their size
  signs: {} as Record<string, string[]>, // what clues in each grid can be
  geometry: null as Geometry | null, // where layers lie in the picture; kept while the text has faults
};

/** The text was edited. */
export function setText(text: string): void {
  if (text === model.text) return;
  model.text = text;
  tell("text");
}

/** The model's name as a file can be called, without its ending. */
export function plainName(): string {
  return model.name.replace(/\.cover$/, "").replace(/[^\p{L}\p{N}_-]+/gu, "-");
}

/** The title that a text gives its model; empty if it gives none. */
export function titleOf(text: string): string {
  return /^title\s+"([^"\n]*)"/m.exec(text)?.[1] ?? "";
}

/** A param is given another value; null takes back what was given. */
export function setData(name: string, value: string | null): void {
  if ((model.data[name] ?? null) === value) return;
  const data = { ...model.data };
  if (value === null) delete data[name];
  else data[name] = value;
  model.data = data;
  tell("data");
}

export function setAllData(data: Data): void {
  model.data = data;
  tell("data");
}

/** What is solved by hand has changed. */
export function setMarks(marks: Marks): void {
  const { at, lines } = marks.notes;
  model.marks = [marks.taken, marks.out, lines, Object.keys(at)].some((one) => one.length) ? marks : null;
  tell("marks");
}

/** Another model takes the place of this one. */
export function open(next: { name: string; text: string; path?: string | null; seen?: string | null; data?: Data; foreign?: boolean; kept?: string; marks?: Marks | null; spent?: number }): void {
  tell("leave");
  lastMeaning = ""; // the same model once more is drawn once more
  Object.assign(model, { path: null, seen: null, data: {}, marks: null, spent: 0, foreign: false, analysis: null, remarks: [], grids: new Map(), geometry: null, signs: {}, kept: next.text }, next);
  tell("model");
  tell("text");
}

/** Files that the model names may be read, although it came by a link. */
export function allowFiles(): void {
  model.foreign = false;
  tell("text");
  tell("meaning");
}

let pending = true;

/** Whether nobody knows yet what the text, as it is now, means: then nothing is said of it, and nothing can be asked. */
export function isPending(): boolean {
  return pending;
}

export function setPending(now: boolean): void {
  if (pending === now) return;
  pending = now;
  tell("pending");
}

/** What the server says about the text. If that changes what is asked, `meaning` is told, too. */
export function setAnalysis(analysis: Analysis): void {
  model.analysis = analysis;
  model.looked = model.text;
  tell("analysis");
  if (faulty()) return;
  const now = meaning();
  if (now === lastMeaning) return;
  lastMeaning = now;
  tell("meaning");
}

let lastMeaning = "";

/** Ask everything again, as after a server that was away. */
export function askAgain(): void {
  lastMeaning = "";
  tell("text");
}

/** Whether the text has faults, so that nothing can be asked. */
export function faulty(): boolean {
  if (pending) return true;
  return model.analysis?.faults.some((fault) => fault.severity === "error") ?? true;
}

/**
 * The text without comments and with single blanks, and the data: texts that agree in it ask the same.
 * Texts in quotes stay as they are.
 */
export function meaning(text = model.text, data: Data = model.data): string {
  const words = text.replace(
    /("""[^]*?"""|"(?:[^"\\\n]|\\.)*")|(?:#[^\n]*|\s+)+/g,
    (_, quoted?: string) => quoted ?? " ",
  );
  return JSON.stringify([words.trim(), data]);
}

/** Params as the text has them; a grid whose size only the compiler knows has the size that it found. */
export function allParams(): Param[] {
  return (model.analysis?.params ?? []).map((one) => {
    const compiled = model.grids.get(one.name);
    const fits = one.grid && compiled && one.grid.rows === compiled.rows && one.grid.cols === compiled.cols;
    return compiled && !fits && !faulty() && one.kind === "grid" ? { ...one, grid: compiled } : one;
  });
}

export function param(name: string): Param | undefined {
  return allParams().find((one) => one.name === name);
}

/** The compiled model's own grids. */
export function setGrids(grids: Map<string, Grid>): void {
  model.grids = grids;
  tell("params");
}

/** Where the layers lie in the picture of the compiled model. */
export function setGeometry(geometry: Geometry): void {
  model.geometry = geometry;
  tell("geometry");
}

export function setSigns(signs: Record<string, string[]>): void {
  model.signs = signs;
  tell("geometry");
}

let compiled = { text: "", meaning: "" }; // what the remarks are about

/** Faults and remarks of compiling a text with its data; they hold as long as what is asked stays the same. */
export function setRemarks(remarks: Fault[], text: string, of: string): void {
  compiled = { text, meaning: of };
  if (!remarks.length && !model.remarks.length) return;
  model.remarks = remarks;
  tell("remarks");
}

const SMALL = 80; // characters of an edit behind which remarks stay on show until the model is compiled again

/** The remarks at their places in the text as it is now. They outlast small edits, so that they do not flicker. */
function remarksNow(): Fault[] {
  const [old, now] = [compiled.text, model.text];
  if (!model.remarks.length || old === now) return model.remarks;
  let same = 0;
  while (same < old.length && old[same] === now[same]) same++;
  const most = Math.min(old.length, now.length) - same;
  let tail = 0;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const changed = Math.max(old.length, now.length) - same - tail;
  if (changed > SMALL && compiled.meaning !== meaning()) return [];
  const by = now.length - old.length;
  const moved = (place: number) => (place <= same ? place : Math.max(same, place + by));
  return model.remarks.map((fault) => ({ ...fault, start: moved(fault.start), end: moved(fault.end), fixes: [] }));
}

/** What the text tells, and what compiling it told. */
export function allFaults(): Fault[] {
  const own = model.analysis?.faults ?? [];
  const known = new Set(own.map((fault) => `${fault.code} ${fault.start} ${fault.message}`));
  const more = faulty() ? [] : remarksNow().filter((fault) => !known.has(`${fault.code} ${fault.start} ${fault.message}`));
  return [...own, ...more];
}

/** Whether something would be lost if another model were opened now. */
export function unsaved(): boolean {
  return model.text !== model.kept;
}
