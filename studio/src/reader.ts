// The picture as a table, for those who hear the page: a row for each row of the board, a cell for each place, with what
// stands there. The drawing itself is hidden from them.

import { cellsOf } from "./board_points.ts";
import { announce, h } from "./dom.ts";
import { current, onPicture, onPoint, stageElement } from "./picture.ts";
import { allPlaces, type Places, placesNow } from "./places.ts";
import { faulty } from "./store.ts";

/** What somebody knows of a place besides what is written in the picture. */
export interface Known {
  words?: string[]; // such as "crossed out"
  fixed?: boolean; // it stands in the puzzle, and can't be changed
}

const MOST = 2500; // places; larger boards are read as text
const MOST_TEXTS = 4000; // in the picture
const WAIT = 60; // milliseconds after a picture: it is drawn first
const INSIDE = 0.42; // of a square from the middle of a place: what is written nearer stands in it

let knows: (at: string, written: string[]) => Known = (at, written) => ({ words: choicesIn(at, current()?.choices ?? [], written) });
let later: ReturnType<typeof setTimeout> | undefined;
let cursor = "";

/** Ask this about each place, too; null where it has nothing to say. */
export function whoKnows(of: (at: string, written: string[]) => Known | null): void {
  const before = knows;
  knows = (at, written) => of(at, written) ?? before(at, written);
}

export function startReader(): void {
  onPicture(readAgain);
  onPoint((at) => readPlace(at) || announce(`Place ${at.replace(/^\d+:/, "")}`));
  stageElement().addEventListener("focus", () => void (faulty() || allPlaces().then(readAgain)));
}

/** The choices that stand at a place and are not among the texts written there: a line by its direction, others by
 *  name. */
export function choicesIn(at: string, choices: string[], written: string[] = []): string[] {
  const places = placesNow();
  if (!places) return [];
  const here = new Set(places.at.get(at) ?? []);
  const seen = (choice: string) => written.includes(places.texts.get(choice) || "\0");
  return choices.filter((choice) => here.has(choice) && !seen(choice)).map((choice) => nameAt(choice, at, places));
}

function nameAt(choice: string, at: string, places: Places): string {
  const where = places.of.get(choice) ?? [];
  const other = where.length === 2 ? where.find((one) => one !== at) : undefined;
  if (!other || places.texts.get(choice) !== "") return choice.replace(/\(.*$/s, "");
  const [from, to] = [at, other].map((one) => one.split(":")[1]!.split(",").map(Number)) as [number[], number[]];
  const [dx, dy] = [to[1]! - from[1]!, to[0]! - from[0]!];
  return `line ${[dy < 0 && "up", dy > 0 && "down", dx < 0 && "left", dx > 0 && "right"].filter(Boolean).join(" ")}`;
}

/** Where something stands beside a place, from its middle; empty: in it. */
function side(dx: number, dy: number): string {
  const across = dx < -INSIDE ? "left" : dx > INSIDE ? "right" : "";
  const along = dy < -INSIDE ? "upper" : dy > INSIDE ? "lower" : "";
  if (across && along) return `at its ${along} ${across} corner`;
  return across ? `to its ${across}` : along ? (along === "upper" ? "above it" : "below it") : "";
}

/** What is marked in the picture has changed. */
export function readAgain(): void {
  clearTimeout(later);
  later = setTimeout(read, WAIT);
}

/** The place that keys have reached is read. Whether there is one. */
export function readPlace(at: string): boolean {
  cursor = at;
  const stage = stageElement();
  if (later !== undefined) read();
  stage.querySelector(".reader [aria-selected='true']")?.setAttribute("aria-selected", "false");
  const cell = document.getElementById(idOf(at));
  if (!cell) {
    stage.removeAttribute("aria-activedescendant");
    return false;
  }
  cell.setAttribute("aria-selected", "true");
  stage.setAttribute("aria-activedescendant", cell.id);
  return true;
}

function idOf(at: string): string {
  return `at-${at.replace(/[^0-9]/g, "-")}`;
}

/** Make the table anew; what has not changed stays the same element, so that nobody loses their place. */
function read(): void {
  clearTimeout(later);
  later = undefined;
  const stage = stageElement();
  const shown = current();
  const svg = stage.querySelector("svg");
  const cells = [...stage.querySelectorAll<SVGGraphicsElement>("[data-at]")];
  const old = stage.querySelector(".reader");
  if (!shown || !svg || !cells.length || cells.length > MOST) {
    old?.remove();
    stage.setAttribute("role", "img");
    stage.removeAttribute("aria-activedescendant");
    stage.removeAttribute("aria-describedby");
    return;
  }
  svg.setAttribute("aria-hidden", "true");
  const texts = textsAt(svg, new Set(cells.map((cell) => cell.dataset.at!.split(":")[0]!)));
  const reader = old ?? h("div", { class: "reader unseen", role: "rowgroup" });
  const rows = new Map<string, HTMLElement[]>();
  for (const cell of cells) {
    const [picture, place] = cell.dataset.at!.split(":") as [string, string];
    const row = `${picture}:${place.split(",")[0]}`;
    const made = cellOf(cell, texts, old);
    rows.set(row, [...(rows.get(row) ?? []), made]);
  }
  const several = new Set([...rows.keys()].map((row) => row.split(":")[0])).size > 1;
  reader.replaceChildren(
    ...[...rows].map(([row, own]) => {
      const [picture, number] = row.split(":") as [string, string];
      return h("div", { role: "row", "aria-label": `${several ? `Picture ${Number(picture) + 1}, row` : "Row"} ${number}` }, ...own);
    }),
  );
  if (!old) stage.append(reader);
  const columns = Math.max(...[...rows.values()].map((own) => own.length));
  stage.setAttribute("role", "grid");
  stage.setAttribute("aria-label", `${shown.caption}: ${rows.size} rows, ${columns} columns`);
  if (cursor) {
    const cell = document.getElementById(idOf(cursor));
    if (cell) stage.setAttribute("aria-activedescendant", cell.id);
    else stage.removeAttribute("aria-activedescendant");
  }
}

function cellOf(cell: SVGGraphicsElement, texts: Map<string, Written[]>, old: Element | null): HTMLElement {
  const at = cell.dataset.at!;
  const place = at.split(":")[1]!;
  const [row, col, ...more] = place.split(",");
  const written = texts.get(at) ?? [];
  const own = written.filter(({ side }) => !side).map(({ text }) => text);
  const known = knows(at, own);
  const many = current()?.source === "candidates" || current()?.source === "hand";
  const words = [
    own.length > 1 && many ? `perhaps ${own.join(", ")}` : own.join(" "),
    ...(known.words ?? []),
    ...written.filter((one) => one.side).map((one) => `${one.text} ${one.side}`),
  ].filter(Boolean);
  const bad = cell.classList.contains("clash") ? "clashes" : cell.classList.contains("wrong") ? "wrong" : "";
  const name = col === undefined || more.length ? `place ${place}` : `row ${row}, column ${col}`;
  const label = `${name}: ${words.join(", ") || "empty"}${known.fixed ? ", given" : ""}${bad && `, ${bad}`}`;
  const id = idOf(at);
  const made = old?.querySelector<HTMLElement>(`#${id}`) ?? h("div", { role: "gridcell", id });
  const set = (attribute: string, value: string) => made.getAttribute(attribute) !== value && made.setAttribute(attribute, value);
  set("aria-label", label);
  set("aria-selected", String(at === cursor));
  set("aria-readonly", String(known.fixed === true));
  set("aria-invalid", String(bad !== ""));
  return made;
}

interface Written {
  text: string;
  side: string; // where it stands beside the place; empty: in it
}

/** The texts of the picture, by the places in which, or beside which, they stand. */
function textsAt(svg: SVGSVGElement, pictures: Set<string>): Map<string, Written[]> {
  const found = new Map<string, Written[]>();
  const all = [...svg.querySelectorAll<SVGTextElement>("g text:not(.over *):not(.heading)")].slice(0, MOST_TEXTS);
  for (const picture of pictures) {
    const boxes = [...cellsOf(Number(picture))].map(([place, cell]) => ({ at: `${picture}:${place}`, box: cell.getBoundingClientRect() }));
    for (const one of all) {
      const text = one.textContent?.trim();
      if (!text) continue;
      const box = one.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      let best: { at: string; dx: number; dy: number; far: number } | null = null;
      for (const { at, box: cell } of boxes) {
        const dx = (x - cell.left - cell.width / 2) / cell.width;
        const dy = (y - cell.top - cell.height / 2) / cell.height;
        const far = Math.hypot(dx, dy);
        if (far < (best?.far ?? 1.6)) best = { at, dx, dy, far };
      }
      if (!best) continue;
      found.set(best.at, [...(found.get(best.at) ?? []), { text, side: side(best.dx, best.dy) }]);
    }
  }
  return found;
}
