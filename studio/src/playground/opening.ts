// What the page opens with was worked out when it was built: the model's analysis, and what its picture tells, in both
// looks. So there is something to see before Python is here. It is only used for the very text that it is about.

export interface Told {
  event: string;
  data: unknown;
}

export interface Opening {
  start: { name: string; text: string };
  analysis: Record<string, unknown>;
  puzzle: Record<string, Told[]>; // by theme
}

interface Asked {
  text: string;
  data?: Record<string, string>;
}

function isOpening(opening: Opening | null, asked: Asked): opening is Opening {
  return opening !== null && asked.text === opening.start.text && !Object.keys(asked.data ?? {}).length;
}

/** The analysis of the text, if it is the one that the page opens with. */
export function openingAnalysis(opening: Opening | null, raw: string): Record<string, unknown> | null {
  return isOpening(opening, JSON.parse(raw) as Asked) ? opening.analysis : null;
}

/** The events of the question, if it asks for the picture of the model that the page opens with. */
export function openingPicture(opening: Opening | null, asked: Asked & { kind: string; options?: { theme?: string } }): Told[] | null {
  return asked.kind === "puzzle" && isOpening(opening, asked) ? (opening.puzzle[asked.options?.theme ?? "light"] ?? null) : null;
}
