// The line at the top: what is open, and what is done with files, links and looks.

import { light } from "./connection.ts";
import { button, h, icon } from "./dom.ts";
import { showDrafts } from "./drafts.ts";
import { onSaved, openFile, save, saveAs } from "./files.ts";
import { newPuzzle } from "./fresh.ts";
import { help } from "./help.ts";
import { copyLink, pasteLink } from "./links.ts";
import { settings } from "./settings.ts";
import { share } from "./share.ts";
import { model, on, unsaved } from "./store.ts";
import { transport } from "./transport.ts";

const MARK = "M1 1h6v6H1z M9 1h6v3H9z M9 6h6v9H9z M1 9h6v6H1z"; // four pieces that cover a square
const SUN = "M8 4.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7z M8 .5v2 M8 13.5v2 M.5 8h2 M13.5 8h2 M2.7 2.7l1.4 1.4 M11.9 11.9l1.4 1.4 M2.7 13.3l1.4-1.4 M11.9 4.1l1.4-1.4";

export function makeHeader(version: string): HTMLElement {
  const name = h("span", { class: "model-name", id: "model-name" });
  const dot = h("span", { class: "dot", title: "Not saved" });
  const show = () => {
    name.textContent = model.name;
    const changed = unsaved() || !model.path;
    dot.hidden = !unsaved();
    document.title = `${unsaved() ? "• " : ""}${model.name} – covr studio`;
    name.title = changed && !model.path ? "This model is no file yet" : (model.path ?? "");
  };
  on("text", show);
  on("model", show);
  onSaved(show);
  const layout = h("input", { type: "checkbox", id: "format-on-save", checked: settings.read("format") !== "no" });
  layout.addEventListener("change", () => settings.write("format", layout.checked ? "yes" : "no"));
  const look = h("button", {
    type: "button", class: "quiet", "aria-label": "Switch between light and dark", title: "Light or dark", id: "look",
    onclick: () => settings.switchLook(),
  }); // prettier-ignore
  look.append(icon(SUN));
  const mark = icon(MARK);
  mark.classList.add("mark");
  const menu = h(
    "nav", { class: "menu", "aria-label": "File", id: "menu" },
    button("New", () => void newPuzzle(), { id: "new", title: "A new puzzle of a kind and a size, or an empty model" }),
    button("Open", () => void openFile(), { id: "open" }),
    button("Drafts", () => void showDrafts(), { id: "drafts", title: "The models that were written last" }),
    button("Paste link", pasteLink, { id: "paste-link", title: "Open a puzzle from its link" }),
    button("Save", () => void save(), { id: "save" }),
    transport.folder ? button("Save as", () => void saveAs(), { id: "save-as" }) : null,
    h("span", { class: "check" }, layout, h("label", { for: "format-on-save" }, "lay out")),
    button("Copy link", copyLink, { id: "copy-link", title: "This puzzle as an address of puzz.link" }),
    button("Share", share, { id: "share", title: "The model and its data as a link to a studio" }),
  ); // prettier-ignore
  const unfold = button("File", () => open(!menu.classList.contains("open")), { class: "unfold", "aria-controls": "menu", "aria-expanded": "false" });
  const open = (shown: boolean) => {
    menu.classList.toggle("open", shown);
    unfold.setAttribute("aria-expanded", String(shown));
  };
  menu.addEventListener("click", (event) => (event.target as Element).matches("button") && open(false));
  return h(
    "header",
    { class: "top" },
    h("h1", {}, mark as unknown as Node, h("span", {}, "covr studio")),
    h("span", { class: "what" }, name, dot),
    light,
    h("span", { class: "grow" }),
    unfold,
    menu,
    look,
    button("?", () => help(version), { class: "quiet", "aria-label": "Keys and help", title: "Keys (?)", id: "help" }),
  );
}
