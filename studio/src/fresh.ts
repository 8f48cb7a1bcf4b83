// A new puzzle: a kind with its picture, and the size of its board, which begins empty.

import { tell } from "./dialogs.ts";
import { button, fill, h } from "./dom.ts";
import { newModel, openCopy } from "./files.ts";
import { pictureOf, type Entry, use, withUsed, wordsOf } from "./gallery.ts";
import { showPane } from "./panes.ts";
import { get, post } from "./wire.ts";

interface Kind extends Entry {
  rows: number; // 0: its board has no size to choose
  cols: number;
  square: boolean;
}

let kinds: Promise<{ kind: string; models: Kind[] }[]> | null = null;

/** Ask for a kind and a size, and open an empty board. */
export async function newPuzzle(): Promise<void> {
  const search = h("input", { type: "search", placeholder: "Find a kind", "aria-label": "Find a kind", id: "new-find" });
  const list = h("div", { class: "new-list", id: "new-list" }, h("p", { class: "empty" }, "Reading the kinds…"));
  const size = h("form", { class: "row new-size", id: "new-size" }, h("span", { class: "faint" }, "Choose a kind, then the size of its board."));
  const blank = button("Empty model", () => (dialog.close(), void newModel()), { id: "new-empty", title: "A small model to be changed" });
  const dialog = tell("New puzzle", [h("div", { class: "row" }, search, h("span", { class: "grow" }), blank), list, size], "wide new");
  search.focus();
  kinds ??= get("/api/fresh");
  const groups = await kinds.catch((fault: Error) => {
    kinds = null;
    fill(list, h("p", { class: "empty bad" }, fault.message));
    return null;
  });
  if (!groups || !dialog.open) return;
  const entries: { element: HTMLElement; words: string }[] = [];
  const sections = withUsed(groups).flatMap(({ kind, models }) => {
    const sized = models.filter(({ rows }) => rows);
    if (!sized.length) return [];
    const cards = sized.map((model) => {
      const card = h(
        "button",
        { type: "button", class: "card small-card", "data-kind": model.name, "aria-pressed": "false", title: model.line, onclick: () => choose(model, card) },
        h("span", { class: "thumb" }, pictureOf(model.name)),
        h("span", { class: "card-words" }, h("strong", {}, model.title || model.name)),
      );
      entries.push({ element: card, words: wordsOf(model, kind) });
      return card;
    });
    return [h("section", {}, h("h3", {}, kind), h("ul", { class: "cards" }, ...cards.map((card) => h("li", {}, card))))];
  });
  const nothing = h("p", { class: "empty", role: "status", hidden: true }, "No kind has all of these words.");
  fill(list, ...sections, nothing);
  const choose = (model: Kind, card: HTMLElement) => {
    for (const { element } of entries) element.setAttribute("aria-pressed", String(element === card));
    showSize(size, model, () => dialog.close());
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { element, words: own } of entries) element.parentElement!.hidden = !words.every((word) => own.includes(word));
    for (const section of sections) section.hidden = !section.querySelector("li:not([hidden])");
    nothing.hidden = sections.some((section) => !section.hidden);
  };
  search.addEventListener("input", filter);
  filter();
}

function showSize(form: HTMLElement, model: Kind, close: () => void): void {
  const number = (id: string, value: number) => h("input", { type: "number", min: "1", max: "100", value, id });
  const rows = number("new-rows", model.rows);
  const cols = number("new-cols", model.cols);
  const said = h("p", { class: "bad", role: "alert", id: "new-fault" });
  if (model.square) {
    rows.addEventListener("input", () => (cols.value = rows.value));
    cols.disabled = true;
  }
  fill(
    form, h("strong", {}, model.title || model.name), h("span", { class: "grow" }), h("label", { for: "new-rows" }, "Rows"), rows, h("label", { for: "new-cols" }, "Columns"), cols,
    h("button", { type: "submit", class: "primary", id: "new-create" }, "Create"), said,
  ); // prettier-ignore
  form.onsubmit = async (event) => {
    event.preventDefault();
    fill(said);
    try {
      const found = await post<{ name: string; text: string; refused?: string }>("/api/fresh", { name: model.name, rows: Number(rows.value) || 0, cols: Number(cols.value) || 0 });
      if (found.refused) return fill(said, `${found.refused[0]!.toUpperCase()}${found.refused.slice(1)}.`);
      close();
      if (!(await openCopy(found.name, found.text))) return;
      use(model.name);
      showPane("draw", true);
    } catch (fault) {
      fill(said, (fault as Error).message);
    }
  };
  rows.select();
  rows.focus();
}
