// A text that is not saved yet outlives a reload of the page and a server that goes away.

import { model, on, unsaved } from "./store.ts";

const KEY = "covr-draft";
const WAIT = 300; // milliseconds after the last keystroke

let later: ReturnType<typeof setTimeout> | undefined;

export function keepDrafts(): void {
  on("text", soon);
  on("data", soon);
  addEventListener("pagehide", keep);
  addEventListener("beforeunload", (event) => {
    keep();
    if (unsaved() && model.path) event.preventDefault(); // the browser asks whether to leave
  });
}

function soon(): void {
  clearTimeout(later);
  later = setTimeout(keep, WAIT);
}

/** Each tab has its own draft: sessionStorage is never shared between tabs. */
function keep(): void {
  const { name, path, seen, kept, text, data, foreign } = model;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ name, path, seen, kept, text, data, foreign }));
  } catch {
    // storage is full or forbidden: there is no draft
  }
}

/** What this tab held when it was last left; null in a new tab. */
export function draft(): Pick<typeof model, "name" | "path" | "seen" | "kept" | "text" | "data" | "foreign"> | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}
