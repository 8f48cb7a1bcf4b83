// The page in other forms, each with an address: within another page (`?embed`), and the board alone at full width, without
// the text, to solve (`?solve`) or to set (`?set`).

import { button, h } from "./dom.ts";
import { isShown, onPaneChange, type PaneName, showPane } from "./panes.ts";
import { link } from "./share.ts";
import { model, on, plainName, titleOf } from "./store.ts";

export type View = "" | "solve" | "set";

const PANE: Record<"solve" | "set", PaneName> = { solve: "hand", set: "draw" };
const query = new URLSearchParams(location.search);
export const EMBEDDED = query.has("embed");

const listeners = new Set<() => void>();
const title = h("h1", { class: "model-name" });
const time = h("time", { id: "timer", role: "timer", "aria-label": "Time" });
const pause = button("Pause", () => run(ticking === undefined), { id: "pause", class: "quiet" });
let shown: View = "";
let due = false; // the time begins once the board is there
let ticking: ReturnType<typeof setInterval> | undefined;

export function view(): View {
  return shown;
}

/** Hear whenever another view is chosen. */
export function onView(listener: () => void): void {
  listeners.add(listener);
}

/** What stands above the board while it is alone. */
export function makeViewBar(): HTMLElement {
  const name = () => (title.textContent = titleOf(model.text) || plainName());
  on("model", () => (name(), ready()));
  on("text", name);
  onPaneChange(() => shown && !isShown(PANE[shown]) && showView(""));
  document.addEventListener("visibilitychange", () => document.hidden && run(false));
  const other = (to: "solve" | "set", label: string) => button(label, () => showView(to), { id: `to-${to}`, "data-for": to === "solve" ? "set" : "solve" });
  const bar = h("header", { class: "viewbar" }, title, time, pause, h("span", { class: "grow" }), other("solve", "Solve"), other("set", "Draw"));
  bar.append(button("Whole page", () => showView(""), { id: "whole-page", title: "Back to the text" }));
  return bar;
}

/** Show the board alone, or the whole page again. The address says so, and a reload shows the same. */
export function showView(next: View): void {
  const before = shown;
  shown = ""; // so that no change of panes ends the view
  const { dataset } = document.documentElement;
  if (next) dataset.view = next;
  else delete dataset.view;
  if (next === "set" && isShown("hand")) showPane("answers"); // clues go into the picture, and not marks
  if (next) showPane(PANE[next], true);
  shown = next;
  if (next !== before) ready();
  history.replaceState(history.state, "", `${location.pathname}${asked()}`);
  for (const listener of listeners) listener();
}

/** What the address asks for, as far as it still holds. */
export function asked(): string {
  const words = [EMBEDDED && "embed", shown].filter(Boolean);
  return words.length ? `?${words.join("&")}` : "";
}

/** The view that the address asks for. */
export function firstView(): View {
  return query.has("solve") ? "solve" : query.has("set") ? "set" : "";
}

function ready(): void {
  run(false);
  due = shown === "solve";
  showTime();
}

/** The board is there: its time goes on where it stood, unless it is solved. */
export function timeBoard(solved: boolean): void {
  if (due || solved) run(!solved);
}

/** The time begins anew. */
export function restart(): void {
  model.spent = 0;
  ready();
}

/** Let the time go on or stand still. */
function run(on: boolean): void {
  due = false;
  clearInterval(ticking);
  ticking = on && shown === "solve" ? setInterval(() => (model.spent++, showTime()), 1000) : undefined;
  showTime();
}

function showTime(): void {
  pause.textContent = due || ticking !== undefined ? "Pause" : "Go on";
  time.textContent = `${Math.floor(model.spent / 60)}:${String(model.spent % 60).padStart(2, "0")}`;
}

/** The time that solving has taken, in words. */
export function timeTaken(): string {
  return shown === "solve" ? ` in ${time.textContent}` : "";
}

/** Within another page: without what concerns files, and with a way to the whole page. */
export function embed(): void {
  document.documentElement.dataset.embed = "yes";
  const away = h("a", { href: location.pathname, target: "_blank", rel: "noopener", id: "whole" }, "Open in covr");
  away.addEventListener("click", () => (away.href = link(model)));
  document.body.append(h("footer", { class: "whole" }, away));
  const heading = h("h1", { class: "unseen" }, "covr");
  document.querySelector("main")!.prepend(heading);
  on("text", () => (heading.textContent = titleOf(model.text) || plainName()));
}
