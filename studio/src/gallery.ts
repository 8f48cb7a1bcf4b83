// The gallery pane: every model that ships with covr, with its picture; a click opens a copy.

import { button, fill, h } from "./dom.ts";
import { openCopy } from "./files.ts";
import { notice } from "./notices.ts";
import { onPane, panel, showPane } from "./panes.ts";
import { settings } from "./settings.ts";
import { transport } from "./transport.ts";
import { get } from "./wire.ts";

export interface Entry {
  name: string;
  title: string;
  line: string;
  called: string; // what else it is called
}

const USED = 6; // models that were used last, as many as stand in two rows of a narrow page

/** The words by which a model is found. */
export function wordsOf(model: Entry, kind: string): string {
  return `${model.name} ${model.title} ${model.line} ${kind} ${model.called}`.toLowerCase();
}

/** The names of the models that were used last, the last one first. */
function used(): string[] {
  return settings.read("used").split(" ").filter(Boolean);
}

/** Remember that a model was used. */
export function use(name: string): void {
  settings.write("used", [name, ...used().filter((one) => one !== name)].slice(0, USED).join(" "));
}

/** The kinds, with those models before them that were used last. */
export function withUsed<T extends { name: string }>(kinds: { kind: string; models: T[] }[]): { kind: string; models: T[] }[] {
  const known = new Map(kinds.flatMap(({ models }) => models.map((model) => [model.name, model] as const)));
  const last = used().flatMap((name) => known.get(name) ?? []);
  return last.length ? [{ kind: "Used last", models: last }, ...kinds] : kinds;
}

const nothing = h("p", { class: "empty", role: "status", hidden: true }, "No model has all of these words.");
let asked = false;
let groups: { element: HTMLElement; entries: { element: HTMLElement; words: string }[] }[] = [];

export function makeGallery(): void {
  const search = h("input", { type: "search", placeholder: "Find a model", "aria-label": "Find a model", "data-main": "", id: "gallery-find" });
  const list = h("div", { class: "gallery-list", id: "gallery-list" });
  search.addEventListener("input", () => filter(search.value));
  panel("gallery").append(h("div", { class: "tools" }, search), list, nothing);
  onPane("gallery", () => {
    if (!asked) void load(list).then(() => filter(search.value)); // it may have been typed before the models were there
  });
}

async function load(list: HTMLElement): Promise<void> {
  asked = true;
  fill(list, h("p", { class: "empty" }, "Reading the gallery…"));
  try {
    const kinds = await get<{ kind: string; models: Entry[] }[]>("/api/gallery");
    groups = withUsed(kinds).map(({ kind, models }) => {
      const entries = models.map((model) => ({ element: card(model), words: wordsOf(model, kind) }));
      const cards = h("ul", { class: "cards" }, ...entries.map(({ element }) => h("li", {}, element)));
      return { element: h("section", {}, h("h2", {}, kind), cards), entries };
    });
    fill(list, ...groups.map(({ element }) => element));
  } catch (fault) {
    asked = false;
    fill(list, h("p", { class: "empty" }, (fault as Error).message), button("Try again", () => void load(list)));
  }
}

function card(model: Entry): HTMLElement {
  const image = pictureOf(model.name);
  settings.onTheme(() => (image.src = addressOf(model.name)));
  return h(
    "button",
    { type: "button", class: "card", onclick: () => void open(model), "data-model": model.name, title: `Open a copy of ${model.name}` },
    h("span", { class: "thumb" }, image),
    h("span", { class: "card-words" }, h("strong", {}, model.title), h("code", {}, model.name), h("span", { class: "faint" }, besides(model))),
  );
}

/** What the description says besides the title, with which it may begin. */
function besides({ title, line }: Entry): string {
  const said = line.replace(/\.$/, "");
  const [short, long] = [title, said].map((words) => words.toLowerCase().replace(/^(?:the|an?) /, "")) as [string, string];
  if (short.startsWith(long)) return "";
  return long.startsWith(short) ? said.slice(said.length - long.length + short.length).replace(/^[\s,:;]+/, "") : line;
}

/** The picture of a model. The server draws it when it comes into sight, a few at a time; where it can't, that is said. */
export function pictureOf(name: string): HTMLImageElement {
  const image = h("img", { loading: "lazy", decoding: "async", alt: "", src: addressOf(name) });
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "faint" }, "No picture")));
  return image;
}

function addressOf(name: string): string {
  return transport.thumb(name, settings.isDark() ? "dark" : "light");
}

async function open(model: Entry): Promise<void> {
  try {
    const { text } = await get<{ text: string }>(`/api/gallery/${encodeURIComponent(model.name)}`);
    if (!(await openCopy(`${model.name}.cover`, text))) return;
    use(model.name);
    asked = false; // it comes first the next time
    showPane("model", true);
  } catch (fault) {
    notice((fault as Error).message, "bad");
  }
}

/** Show the models that hold all of the words. */
function filter(wanted: string): void {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  let some = false;
  for (const { element, entries } of groups) {
    let any = false;
    for (const entry of entries) {
      const fits = words.every((word) => entry.words.includes(word));
      entry.element.parentElement!.hidden = !fits;
      any ||= fits;
    }
    element.hidden = !any;
    some ||= any;
  }
  nothing.hidden = some || !groups.length;
}
