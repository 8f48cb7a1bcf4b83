// The layout: regions of the page, each with panes of which one is shown, and the ways between them.
//
// Wide pages show all regions side by side, with bars between them that can be moved; narrow ones show one at a time, and
// the picture above what is asked about it.

import { h } from "./dom.ts";
import { settings } from "./settings.ts";

export type PaneName =
  | "model" | "draw" | "data" | "gallery" | "picture" | "answers" | "hand" | "candidates" | "why" | "dance" | "matrix" | "spare"; // prettier-ignore
type RegionName = "write" | "look" | "ask";

interface Pane {
  name: PaneName;
  title: string;
  region: RegionName;
  tab: HTMLButtonElement;
  panel: HTMLElement;
  shown: () => void; // called whenever it comes into sight
  hidden: () => void;
}

export const PANES: [PaneName, string, RegionName][] = [
  ["model", "Model", "write"],
  ["draw", "Draw", "write"],
  ["data", "Data", "write"],
  ["gallery", "Gallery", "write"],
  ["picture", "Picture", "look"],
  ["answers", "Answers", "ask"],
  ["hand", "By hand", "ask"],
  ["candidates", "Candidates", "ask"],
  ["why", "Why and hint", "ask"],
  ["dance", "Step by step", "ask"],
  ["matrix", "Matrix", "ask"],
  ["spare", "Could be left out", "ask"],
];
const REGIONS: [RegionName, string][] = [
  ["write", "Write"],
  ["look", "Look"],
  ["ask", "Ask"],
];

const panes = new Map<PaneName, Pane>();
const regions = new Map<RegionName, { element: HTMLElement; current: PaneName; button: HTMLButtonElement }>();
let main: HTMLElement;

export function panel(name: PaneName): HTMLElement {
  return panes.get(name)!.panel;
}

/** Say what a pane does when it comes into sight, and when it goes. */
export function onPane(name: PaneName, shown: () => void, hidden: () => void = () => undefined): void {
  Object.assign(panes.get(name)!, { shown, hidden });
}

const changes = new Set<() => void>();

/** Hear whenever another pane is chosen in some region. */
export function onPaneChange(listener: () => void): void {
  changes.add(listener);
}

/** Whether a pane is the chosen one of its region. */
export function isShown(name: PaneName): boolean {
  const pane = panes.get(name)!;
  return regions.get(pane.region)!.current === name;
}

export function makeLayout(): HTMLElement {
  main = h("main", { class: "regions", id: "regions" });
  const foot = h("nav", { class: "foot", "aria-label": "Parts of the page" });
  for (const [region, title] of REGIONS) {
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": title });
    const bar = h("div", { class: "tabbar" }, tabs, largeButton(region));
    const element = h("section", { class: `region ${region}`, "aria-label": title }, bar);
    const toRegion = h("button", { type: "button", onclick: () => showRegion(region) }, title);
    const own = PANES.filter(([, , at]) => at === region);
    for (const [name, label] of own) {
      const tab = h("button", {
        type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}`, onclick: () => showPane(name),
      }, label); // prettier-ignore
      const body = h("div", {
        class: `pane ${name}`, role: "tabpanel", id: `pane-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "-1",
      }); // prettier-ignore
      tabs.append(tab);
      element.append(body);
      panes.set(name, { name, title: label, region, tab, panel: body, shown: () => undefined, hidden: () => undefined });
    }
    tabs.addEventListener("keydown", (event) => alongTabs(event, own.map(([name]) => name)));
    regions.set(region, { element, current: own[0]![0], button: toRegion });
    main.append(element);
    foot.append(toRegion);
  }
  main.append(splitter("across"), splitter("down"));
  for (const { current } of regions.values()) choose(current);
  showRegion("write");
  return h("div", { class: "body" }, main, foot);
}

function largeButton(region: RegionName): HTMLElement {
  const press = h("button", {
    type: "button", class: "large quiet", "aria-pressed": "false", "aria-label": `Enlarge the part “${region}”`, title: "Enlarge",
    onclick: () => {
      const now = main.dataset.large === region ? "" : region;
      main.dataset.large = now;
      for (const each of main.querySelectorAll(".large")) each.setAttribute("aria-pressed", String(each === press && now !== ""));
    },
  }, "⤢"); // prettier-ignore
  return press;
}

function choose(name: PaneName): void {
  const pane = panes.get(name)!;
  const region = regions.get(pane.region)!;
  const before = region.current;
  region.current = name;
  region.element.dataset.pane = name;
  for (const each of panes.values()) {
    if (each.region !== pane.region) continue;
    const chosen = each.name === name;
    each.tab.setAttribute("aria-selected", String(chosen));
    each.tab.tabIndex = chosen ? 0 : -1;
    each.panel.hidden = !chosen;
  }
  if (before !== name) panes.get(before)!.hidden();
  pane.shown();
  for (const listener of changes) listener();
}

function showRegion(name: RegionName): void {
  main.dataset.region = name;
  if (main.dataset.large && main.dataset.large !== name) main.dataset.large = "";
  for (const [each, { button }] of regions) button.setAttribute("aria-current", String(each === name));
}

/** Bring a pane into sight; move the focus there if asked. */
export function showPane(name: PaneName, focus = false): void {
  choose(name);
  showRegion(panes.get(name)!.region);
  if (focus) focusPane(name);
}

const MAIN = "[data-main]:not([disabled]), .board [tabindex='0']";
const CONTROLS = "button:not([disabled]), input:not([tabindex='-1']), select, [tabindex='0']";

/** The focus goes to what a pane names as its main part, or to what has taken its place; else to its first control; to the
 *  pane itself while that is out of sight. */
export function focusPane(name: PaneName, stays = false): void {
  const body = panel(name);
  const instead = document.querySelector<HTMLElement>(`[data-drawn] [data-instead-of="${name}"]`);
  const seen = (one?: HTMLElement | null) => (one?.checkVisibility() ? one : null);
  const control = () => [...body.querySelectorAll<HTMLElement>(CONTROLS)].find(seen);
  const own = body.querySelector<HTMLElement>(MAIN);
  (seen(own) ?? (stays && instead ? control() : seen(instead)) ?? (own ? body : control()) ?? body).focus();
}

/** The main part of a pane has come into sight: the focus goes there if it waits on the pane itself. */
export function filled(name: PaneName): void {
  if (document.activeElement === panel(name)) focusPane(name);
}

/** To the next region (or back), into its pane. */
export function nextRegion(by: 1 | -1): void {
  const names = REGIONS.map(([name]) => name);
  const here = document.activeElement?.closest<HTMLElement>(".region");
  const at = names.findIndex((name) => regions.get(name)!.element === here);
  const next = names[(at + by + names.length + (at < 0 && by < 0 ? 1 : 0)) % names.length]!;
  const { current } = regions.get(next)!;
  showPane(current);
  focusPane(current, true);
}

function alongTabs(event: KeyboardEvent, names: PaneName[]): void {
  const at = names.findIndex((name) => panes.get(name)!.tab === event.target);
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
  const to = steps[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const name = names[(to + names.length) % names.length]!;
  showPane(name);
  panes.get(name)!.tab.focus();
}

/** A bar that is dragged, or moved with the arrow keys; its place is kept for the next time. */
function splitter(way: "across" | "down"): HTMLElement {
  const property = `--${way}`;
  const bar = h("div", {
    class: `splitter ${way}`, role: "separator", tabindex: "0", "aria-orientation": way === "across" ? "vertical" : "horizontal",
    "aria-label": way === "across" ? "Width of the left part" : "Height of the picture", "aria-valuemin": "20", "aria-valuemax": "80",
  }); // prettier-ignore
  const set = (share: number) => {
    const percent = Math.round(Math.min(80, Math.max(20, share)));
    main.style.setProperty(property, `${percent}%`);
    bar.setAttribute("aria-valuenow", String(percent));
    settings.write(way, String(percent));
  };
  set(Number(settings.read(way)) || (way === "across" ? 46 : 52));
  bar.addEventListener("pointerdown", (down) => {
    bar.setPointerCapture(down.pointerId);
    down.preventDefault();
    bar.focus();
    bar.onpointermove = (move) => {
      const box = main.getBoundingClientRect();
      set(way === "across" ? ((move.clientX - box.left) / box.width) * 100 : ((move.clientY - box.top) / box.height) * 100);
    };
    bar.onpointerup = () => (bar.onpointermove = null);
  });
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (!by) return;
    event.preventDefault();
    set(Number(bar.getAttribute("aria-valuenow")) + by);
  });
  return bar;
}
