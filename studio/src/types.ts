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
}

export type Data = Record<string, string>;

export interface Start {
  version: string;
  folder: string;
  name: string;
  path: string | null;
  seen?: string | null;
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
  size: { items: number; options: number; sizes: [number, string][] };
  note: { text: string };
  result: Record<string, unknown>;
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

/** A line of a reason, with the place of its statement in the text where that is known. */
export interface Line {
  text: string;
  start?: number | null;
  end?: number | null;
  mark?: string | null;
}
