// What is wrong with the text: squiggles in the editor and a list beneath it, with mends on a click.

import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { apply } from "./assist.ts";
import { tell } from "./dialogs.ts";
import { button, fill, h } from "./dom.ts";
import { goTo } from "./editor.ts";
import { showPane } from "./panes.ts";
import { inline, prose } from "./prose.ts";
import { isPending, model } from "./store.ts";
import type { Fault, Fix } from "./types.ts";

export const faultList = h("div", { class: "faults", id: "faults", role: "region", "aria-label": "Faults", tabindex: "-1" });

let listed = ""; // the faults that are listed

export function showFaults(view: EditorView, faults: Fault[]): void {
  const length = view.state.doc.length;
  const shown = faults
    .filter((fault) => fault.placed !== false)
    .map((fault): Diagnostic => {
      const from = Math.min(fault.start, length);
      return {
        from,
        to: Math.min(Math.max(fault.end, from), length),
        severity: fault.severity,
        message: fault.message,
        renderMessage: () => words(fault),
        actions: (fault.fixes ?? []).map((fix) => ({ name: fix.title, apply: (target) => mend(target, fix) })),
      };
    });
  view.dispatch(setDiagnostics(view.state, shown));
  showList(view, faults);
  performance.mark("covr-faults");
}

/** Nobody knows yet whether there are faults. */
export function showPending(): void {
  faultList.classList.toggle("pending", isPending());
  if (!isPending()) return;
  delete faultList.dataset.errors;
  listed = "";
  fill(faultList, h("p", { class: "none" }, "Reading the model…"));
}

function mend(view: EditorView, fix: Fix): void {
  apply(view, fix.edits);
  view.focus();
}

function words(fault: Fault): HTMLElement {
  const said = h("div", {}, h("div", {}, ...inline(fault.message)));
  if (fault.label) said.append(h("div", { class: "faint" }, fault.label));
  for (const note of fault.notes ?? []) said.append(h("div", { class: "faint" }, note));
  if (fault.help) said.append(h("div", { class: "faint" }, ...inline(fault.help)));
  return said;
}

function showList(view: EditorView, faults: Fault[]): void {
  const errors = faults.filter((fault) => fault.severity === "error").length;
  const helps = faults.length - errors;
  faultList.dataset.errors = String(errors);
  faultList.dataset.version = String(model.analysis?.version ?? 0);
  const now = JSON.stringify([faults, faults.map((fault) => placeOf(view, fault))]);
  if (now === listed) return; // a button that is made anew while it is pressed hears no click
  listed = now;
  if (!faults.length) return fill(faultList, h("p", { class: "none" }, "No errors."));
  const counts = [errors && plural(errors, "error"), helps && plural(helps, "warning")].filter(Boolean).join(", ");
  fill(faultList, h("p", { class: "unseen" }, counts), h("ul", {}, ...faults.map((fault) => item(view, fault))));
}

/** The param whose value from outside is at fault; null if the fault is somewhere else. */
export function paramOf(fault: Fault): string | null {
  if (fault.placed !== false) return null;
  return fault.data?.param ?? /^in -D (\S+?),? /.exec(`${fault.notes?.[0] ?? ""} `)?.[1] ?? null;
}

function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Line and column, from 1. */
function placeOf(view: EditorView, fault: Fault): string {
  const line = view.state.doc.lineAt(Math.min(fault.start, view.state.doc.length));
  return `${line.number}:${fault.start - line.from + 1}`;
}

function item(view: EditorView, fault: Fault): HTMLElement {
  const param = paramOf(fault);
  const elsewhere = fault.placed === false;
  const place = param ? `data: ${param}` : elsewhere ? "elsewhere" : placeOf(view, fault);
  const go = () => {
    showPane(param ? "data" : "model", true);
    if (!elsewhere) goTo(fault.start, fault.end);
  };
  const row = h(
    "li",
    { class: fault.severity },
    h(
      "button",
      { type: "button", class: "fault", onclick: go },
      h("span", { class: "place" }, place),
      h("span", {}, h("span", { class: "unseen" }, `${fault.severity}: `), ...inline(fault.message)),
    ),
  );
  for (const note of fault.notes ?? []) row.append(h("p", { class: "help" }, ...inline(note)));
  if (fault.help) row.append(h("p", { class: "help" }, ...inline(fault.help)));
  const more = h("div", { class: "row" });
  for (const fix of fault.fixes ?? []) more.append(h("button", { type: "button", class: "small fix", onclick: () => mend(view, fix) }, ...inline(fix.title)));
  if (fault.page)
    more.append(button(`What is ${fault.code}?`, () => tell(fault.code, [prose(fault.page!)]), { class: "small quiet" }));
  if (more.childElementCount) row.append(more);
  return row;
}
