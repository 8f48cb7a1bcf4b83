// What the editor asks while one writes: completion, what a word means, where it is defined, other names, layout.

import { type Completion, type CompletionContext, type CompletionResult, snippet } from "@codemirror/autocomplete";
import type { EditorView, Tooltip } from "@codemirror/view";
import { textVersion } from "./analyse.ts";
import { announce, h } from "./dom.ts";
import { askFor } from "./dialogs.ts";
import { prose } from "./prose.ts";
import { notice } from "./notices.ts";
import { model } from "./store.ts";
import type { Edit, Fault } from "./types.ts";
import { PAGE, post } from "./wire.ts";

interface Item {
  label: string;
  insert: string;
  kind: string;
  detail: string | null;
  doc?: string | null;
}

function about(text: string, more: object = {}): object {
  return { page: PAGE, name: model.name, text, data: model.data, version: textVersion(), ...more };
}

const TYPES: Record<string, string> = {
  keyword: "keyword", function: "function", reader: "function", family: "class", param: "variable", value: "variable",
  constant: "constant", index: "property", local: "property", snippet: "text",
}; // prettier-ignore

export async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
  if (!word && !context.explicit && !context.matchBefore(/[."{(]/)) return null;
  try {
    const text = context.state.doc.toString();
    const reply = await post<{ start: number; items: Item[] } | null>(
      "/api/complete",
      about(text, { offset: context.pos, explicit: context.explicit }),
    );
    if (!reply?.items?.length || context.aborted) return null; // also where the text has changed meanwhile
    const options = reply.items.map((item): Completion => {
      const found: Completion = { label: item.label, detail: item.detail ?? undefined, type: TYPES[item.kind] ?? item.kind };
      if (item.doc) found.info = () => prose(item.doc!);
      found.apply = item.insert.includes("${") ? snippet(item.insert) : item.insert;
      return found;
    });
    return { from: reply.start, options, validFor: /^[\p{L}\p{N}_]*$/u };
  } catch {
    return null; // a word that cannot be completed is typed
  }
}

export async function hover(view: EditorView, pos: number): Promise<Tooltip | null> {
  try {
    const text = view.state.doc.toString();
    const reply = await post<{ start: number; end: number; code?: string | null; text: string } | null>(
      "/api/hover",
      about(text, { offset: pos }),
    );
    if (!reply || reply.start === undefined) return null;
    return {
      pos: reply.start,
      end: reply.end,
      above: true,
      create: () => ({ dom: h("div", { class: "hover" }, reply.code ? h("pre", {}, reply.code) : null, prose(reply.text)) }),
    };
  } catch {
    return null;
  }
}

/** Apply edits, which do not overlap, in one step that can be undone at once. */
export function apply(view: EditorView, edits: Edit[]): void {
  const changes = edits.map(({ start, end, text }) => ({ from: start, to: end, insert: text }));
  view.dispatch({ changes, userEvent: "input" });
}

/** Lay the text out as `covr fmt` does. Says whether it could. */
export async function format(view: EditorView): Promise<boolean> {
  try {
    const text = view.state.doc.toString();
    const reply = await post<{ edits?: Edit[]; faults?: Fault[] }>("/api/format", about(text));
    if (view.state.doc.toString() !== text) return false; // typed into meanwhile: the edits would not fit
    if (reply.edits?.length) apply(view, reply.edits);
    if (reply.faults) announce("The text has errors and was left as it is.");
    return Boolean(reply.edits);
  } catch {
    return false;
  }
}

export async function goToDefinition(view: EditorView): Promise<void> {
  const text = view.state.doc.toString();
  const offset = view.state.selection.main.head;
  const places = await post<{ start: number; end: number; file: string | null }[]>("/api/definition", about(text, { offset })).catch(() => []);
  const found = Array.isArray(places) ? places[0] : undefined;
  if (!found) return announce("Nothing is defined here.");
  if (found.file) return notice(`This is defined in ${found.file}.`);
  view.dispatch({ selection: { anchor: found.start, head: found.end }, scrollIntoView: true });
}

export async function rename(view: EditorView): Promise<void> {
  const text = view.state.doc.toString();
  const offset = view.state.selection.main.head;
  const word = view.state.wordAt(offset);
  if (!word) return announce("There is no name here.");
  const to = await askFor("Rename", "New name", text.slice(word.from, word.to));
  view.focus();
  if (!to) return;
  try {
    const reply = await post<{ edits?: Edit[]; refused?: string }>("/api/rename", about(text, { offset, to }));
    if (reply.edits && view.state.doc.toString() === text) apply(view, reply.edits);
    else if (reply.refused) notice(reply.refused, "bad");
  } catch (fault) {
    notice((fault as Error).message, "bad");
  }
}
