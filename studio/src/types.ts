// What the server and the page say to each other. Places in texts are offsets in UTF-16 code units.

export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface Fix {
  title: string;
  edits: Edit[];
}

export interface Fault {
  code: string;
  severity: "error" | "warning";
  start: number;
  end: number;
  message: string;
  label?: string | null;
  help?: string | null;
  notes?: string[];
  page?: string | null;
  fixes?: Fix[] | null; // null: nobody has looked for them yet
  placed?: boolean; // whether the fault is in this text
  data?: { param: string; start: number; end: number } | null; // its place in the value that was given for a param
}

export interface Grid {
  rows: number;
  cols: number;
  cells: string[][];
  blank: string;
}

export interface Param {
  name: string;
  kind: string;
  default: string;
  given: string | null;
  grid: Grid | null;
  file: string | null;
  doc?: string | null;
}

export type Token = [start: number, length: number, kind: string];

export interface Analysis {
  version: number;
  faults: Fault[];
  folds: { start: number; end: number }[];
  tokens: Token[];
  symbols: { name: string; kind: string; start: number; end: number }[];
  params: Param[];
  meaning?: string; // stays the same where an edit changes nothing that is asked
  more?: boolean; // of a long text only the faults and params are told yet; the rest is asked for
  stale?: boolean; // a later text came before this one was answered
}

export type Data = Record<string, string>;

export interface Start {
  version: string;
  folder: string;
  name: string;
  model: string | null; // the file of the folder that it opens with
  text: string;
  limits: Record<string, number>;
  themes: string[];
}

export interface JobEvents {
  progress: Progress;
  picture: { svg: string; text: string; caption?: string };
  answer: Answer;
  better: Answer; // of a search for the best: a better answer than those before; its number is 0
  pause: Record<string, never>; // a listing waits until more is asked for
  params: { params: { name: string; value: string; grid: Grid | null }[] }; // as the compiled model has them
  geometry: Geometry;
  signs: { signs: Record<string, string[]> }; // what clues in each grid can be
  size: { items: number; options: number; sizes: [number, string][] };
  note: { text: string };
  candidates: { candidates: { name: string; verdict: "all" | "some"; given: boolean }[]; cut: boolean };
  clash: { choices: string[]; rules: string[] }; // givens and rules that contradict each other
  why: Why;
  spare: Spare;
  hint: Hint;
  matrix: MatrixTold;
  model: { name: string; text: string }; // of a puzzle that a link holds
  link: { link: string };
  places: { places: Record<string, string[]>; texts: Record<string, string>; given: string[]; cut: boolean };
  clashes: { clashes: { rule: string; how: string; choices: string[] }[]; more: number };
  left: { solvable: boolean | null };
  hand: { solved: boolean; taken: string[]; out: string[] };
  checked: { verdict: string; words: string; wrong: string[] };
  root: { items: number; primary: number; options: number; given: number[] };
  steps: { steps: Step[] };
  proof: { problem: string; proof: string }; // both compressed, in base64
  verdict: { line: number; expected: string; kept: boolean | null; found: string };
  fault: { faults: Fault[] };
  end: End;
}

export interface Answer {
  number: number;
  svg: string;
  text: string;
  choices?: string[];
  cost?: number | string | null;
  bound?: number | string | null;
  proved?: boolean | null;
  costs?: number[]; // of several goals in order
  broken?: string[]; // wishes that it breaks
}

export interface End {
  status: string;
  words: string;
  figures?: Record<string, unknown>;
}

export interface Progress {
  fraction?: number | null; // of the search tree, 0 to 1; null where the engine cannot tell
  nodes?: number;
  answers?: number | string;
  best?: number | null;
  bound?: number | null;
  seconds?: number;
  left?: number | null; // seconds
  words?: string;
}

/** What could be left out: each by itself, and some together; `open`: of which that is not known. */
export interface Spare {
  head: string;
  needed: string;
  words: string; // of what could be left out together
  minimal: boolean;
  alone: Member[];
  together: Member[];
  open: Member[];
  text: string;
}

/** A rule or a given that is part of a reason; `start` is null where it stands in another file. */
export interface Member {
  kind: string;
  name: string;
  line: number;
  file: string | null;
  start: number | null;
  end: number | null;
}

export interface Why {
  verdict: string;
  choice: string | null;
  members: Member[]; // all of them
  told: Member[]; // those that are said, with one line for many that are alike
  cures: Member[];
  removed: Member | null;
  fault: Fault | null;
  text: string;
  answers: Answer[];
}

export interface Hint {
  number: number;
  text: string;
  taken: string[];
  out: string[];
  more: number; // other moves that follow from as few rules
  reasons: { rules: Member[]; known: string[]; taken: string[]; out: string[]; said: string; otherwise: string }[];
  svg: string;
}

export interface MatrixTold {
  items: { name: string; primary: boolean; size: number }[];
  options: { label: string; choice: string; items: number[]; given: boolean }[];
  cut: boolean;
  whole: { items: number; primary: number; options: number };
}

/** A step of a search; items and options are numbers of the matrix. */
export interface Step {
  kind: string; // choose, free, take, back, fail, dear, clash, given, answer, leave, follows, broken
  depth: number;
  item: number | null;
  option: number | null;
  covers: number[];
  removes: number[];
  takes: number[];
  answer: number[];
  words: string;
}

/** A layer of a text that can be drawn. Places are (row, column) from 1. */
export type Layer = PictureLayer | WallsLayer | PathsLayer | SpotsLayer | MarginLayer;
export type Place = [row: number, col: number];

interface AnyLayer {
  name: string;
  given: boolean; // its value is given by the page, and is not the one in the text
}

export interface PictureLayer extends AnyLayer {
  kind: "picture";
  role: "signs" | "regions" | "cells" | "pieces";
  lattice: "square" | "hex" | "triangle" | "sticks";
  rows: number;
  cols: number;
  cells: (string | null)[][]; // null: no cell there
  offered: string[];
  off: Place[]; // of a lattice: where a cell may be, and is none
  fresh: string; // a letter that no region or piece has
}

export interface WallsLayer extends AnyLayer {
  kind: "walls";
  pairs: { a: Place; b: Place; fields: string[] }[];
  fields: string[];
  ordered: boolean;
}

export interface PathsLayer extends AnyLayer {
  kind: "paths";
  look: string;
  fields: string[];
  known: string[][]; // what stands in each field
  records: { fields: string[]; squares: (Place | null)[] }[];
}

export interface SpotsLayer extends AnyLayer {
  kind: "spots";
  look: "square" | "corner" | "margin";
  fields: string[];
  known: string[][];
  many: boolean; // the last field is the rest of a line
  records: { fields: string[]; at: Place | null }[];
}

export interface MarginLayer extends AnyLayer {
  kind: "margin";
  several: boolean; // a clue has several words
  sides: { side: "left" | "right" | "top" | "bottom"; depth: number; clues: string[] }[];
}

export interface Layers {
  rows: number;
  cols: number;
  layers: Layer[];
  undrawn: { name: string; why: string }[];
  symmetries: string[];
}

/** Where layers lie in the picture: place (r, c) at scale * (r, c) + (down, across). */
export interface Geometry {
  board: [top: number, left: number, bottom: number, right: number] | null;
  picture: number;
  lattice: string;
  layers: Record<string, { scale: number; down: number; across: number }>;
}
