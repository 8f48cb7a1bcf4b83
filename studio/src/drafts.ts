// What is written outlives its tab: the browser keeps the latest texts, each under a key of its own, so that tabs do not
// overwrite each other's. A model whose place another one takes is a step of the tab's history, so Back leads to it.

import { tell } from "./dialogs.ts";
import { button, h } from "./dom.ts";
import type { Shared } from "./share.ts";
import { meaning, model, on, open, titleOf, unsaved } from "./store.ts";
import type { Start } from "./types.ts";

const KEY = "covr-draft-";
const TAB = "covr-tab"; // in sessionStorage, which a tab has still when it was reloaded, or closed and brought back
const WAIT = 300; // milliseconds after the last keystroke
const MOST = 20; // drafts that are kept
const PATIENCE = 500; // milliseconds in which the page before a reload lets go of the tab's name

/** A model as it was left. */
export interface Draft {
  id: string;
  tab: string; // the tab that shows it, or did when it was closed; empty once another model has taken its place
  from: string; // the studio that it was written in
  folder: string;
  when: number; // milliseconds since 1970
  held: Pick<typeof model, "name" | "path" | "seen" | "kept" | "text" | "data" | "marks" | "spent" | "foreign">;
}

let id: string = crypto.randomUUID(); // of the draft of what is open
let tab = "";
let studio = { from: "", folder: "" };
let beginning = ""; // what the studio opens with, which need not be kept
let kept = ""; // what was kept last
let stepping = false; // the browser itself goes along the history
let later: ReturnType<typeof setTimeout> | undefined;
const passed = new Map<string, Draft>(); // what this tab has shown, with what need not be kept

/** What this tab held when it was last left; in a new tab, what the last one held that was closed. For a board that came
 *  by a link, the same board as it was left, unless another tab shows it. */
export async function findDraft(start: Start, shared: Shared | null): Promise<Draft | null> {
  studio = { from: JSON.stringify([start.folder, start.model ?? start.name]), folder: start.folder };
  beginning = JSON.stringify([start.text, {}, null, 0]);
  const named = stored(() => sessionStorage.getItem(TAB));
  const mine = named !== null && (await isFree(named));
  tab = mine ? named : crypto.randomUUID();
  if (!mine) await isFree(tab);
  stored(() => sessionStorage.setItem(TAB, tab));
  const shown = named === null || shared ? await shownTabs() : null;
  if (shared) {
    const same = ({ held }: Draft) => !held.path && meaning(held.text, held.data) === meaning(shared.text, shared.data);
    const left = drafts().find((one) => same(one) && (one.tab === tab || (shown && !shown.has(one.tab))));
    return left ? { ...left, tab } : null;
  }
  const closed = (one: Draft) => shown && one.tab && !shown.has(one.tab) && one.from === studio.from && (!start.model || one.held.path === start.model);
  const found = drafts().find((one) => (named === null ? closed(one) : one.tab === named && (one.from === studio.from || one.held.text !== one.held.kept)));
  return found ? { ...found, tab: mine || named === null ? tab : found.tab } : null;
}

/** Keep what is written from now on. of: what is open, if it is a draft. */
export function keepDrafts(of: Draft | null): void {
  if (of?.tab === tab) id = of.id; // a tab that was duplicated goes on by itself
  history.replaceState({ draft: id }, "");
  keep();
  on("text", soon);
  on("data", soon);
  on("marks", soon);
  on("leave", () => keep(""));
  on("model", () => {
    id = crypto.randomUUID();
    kept = "";
    if (!stepping) history[location.hash ? "replaceState" : "pushState"]({ draft: id }, "", location.pathname); // a link is a step already
  });
  addEventListener("pagehide", () => keep());
  document.addEventListener("visibilitychange", () => document.hidden && keep()); // a phone may end it then, and tells no more
  addEventListener("beforeunload", (event) => {
    const safe = keep();
    if (unsaved() && (model.path || !safe)) event.preventDefault(); // the browser asks whether to leave
  });
  addEventListener("popstate", ({ state }) => {
    const to = state?.draft as string | undefined;
    const found = drafts().find((one) => one.id === to) ?? passed.get(to!);
    if (!to || !found || to === id) return;
    stepping = true;
    reopen(found);
    stepping = false;
    if (id !== to) history.replaceState({ draft: id }, "");
  });
}

/** The latest drafts, to be opened. */
export async function showDrafts(): Promise<void> {
  keep();
  const shown = (await shownTabs()) ?? new Set();
  const lines = drafts().map((one) => {
    const place = one.id === id ? ", open here" : shown.has(one.tab) ? ", open in another tab" : "";
    const words = h("span", { class: "faint" }, ` ${titleOf(one.held.text)} · ${new Date(one.when).toLocaleString()}${place}`);
    const open = button(one.held.name, () => (dialog.close(), one.id !== id && reopen(shown.has(one.tab) ? one : { ...one, tab })));
    open.append(words);
    return h("li", {}, open);
  });
  const about = `The last ${MOST} models that were written in this browser, whether they are files or not.`;
  const dialog = tell("Drafts", [h("p", { class: "faint" }, lines.length ? about : "Nothing has been written yet."), h("ul", { class: "file-list", id: "draft-list" }, ...lines)]);
}

/** Open a draft; where another tab shows it, a copy of its own. */
function reopen(one: Draft): void {
  open(one.folder === studio.folder ? one.held : { ...one.held, path: null, seen: null });
  if (one.tab && one.tab !== tab) return;
  id = one.id;
  if (!stepping) history.replaceState({ draft: id }, "");
}

function soon(): void {
  clearTimeout(later);
  later = setTimeout(() => keep(), WAIT);
}

/** Keep what is open, and whether this tab still shows it. Says whether it is safe. */
export function keep(by = tab): boolean {
  clearTimeout(later);
  if (!tab) return false; // within another page
  const { name, path, seen, kept: saved, text, data, marks, spent, foreign } = model;
  const held = { name, path, seen, kept: saved, text, data, marks, spent, foreign };
  const one: Draft = { id, tab: by, ...studio, when: Date.now(), held };
  passed.set(id, one);
  if (JSON.stringify([text, data, marks, spent]) === beginning && !path) return stored(() => localStorage.removeItem(KEY + id)) !== null;
  const now = JSON.stringify([by, held]);
  if (now === kept && stored(() => localStorage.getItem(KEY + id))) return true;
  const safe = write(one);
  if (safe) kept = now;
  return safe;
}

/** Write a draft. The oldest ones make room for it. */
function write(one: Draft): boolean {
  const others = drafts().filter((each) => each.id !== one.id);
  for (const old of others.splice(MOST - 1)) localStorage.removeItem(KEY + old.id);
  for (;;) {
    if (stored(() => localStorage.setItem(KEY + one.id, JSON.stringify(one))) !== null) return true;
    const oldest = others.pop();
    if (!oldest) return false;
    localStorage.removeItem(KEY + oldest.id);
  }
}

/** All drafts, the latest first. */
function drafts(): Draft[] {
  const keys = stored(() => Object.keys(localStorage)) ?? [];
  const found = keys.filter((key) => key.startsWith(KEY)).map((key) => stored(() => JSON.parse(localStorage.getItem(key)!) as Draft));
  return found.filter((one) => one !== null).sort((a, b) => b.when - a.when);
}

/** What reading or writing a store gives; null where it is full or forbidden. */
function stored<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Take a tab's name for as long as the page lives. Says whether no other tab has it, as one that was duplicated would. */
function isFree(name: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((answer) => {
    const held = () => (answer(true), new Promise<void>(() => undefined));
    navigator.locks.request(TAB + name, { signal: AbortSignal.timeout(PATIENCE) }, held).catch(() => answer(false));
  });
}

/** The tabs that are open; null where browsers do not tell. */
async function shownTabs(): Promise<Set<string> | null> {
  const held = (await (navigator.locks as LockManager | undefined)?.query())?.held;
  return held ? new Set(held.map((lock) => lock.name!.slice(TAB.length))) : null;
}
