// The fields of a line, a cage or a mark that is chosen in the drawing, or that is to be drawn next.

import { button, fill, h } from "./dom.ts";
import type { Spot } from "./spots.ts";
import type { Layer } from "./types.ts";

let inputs: HTMLInputElement[] = [];
let made = ""; // what the fields were made for
let chosen: number | null = null;
const last: Record<string, string[]> = {}; // by layer: what was in the fields last

const element = h("div", { class: "row record", id: "record", hidden: true });

export const recordTools = {
  element,
  cut: (_record: number): void => undefined,
  write: (_record: number, _fields: string[]): void => undefined,
  put: (_fields: string[]): unknown => undefined,

  /** What a field says now. */
  field(at: number): string | undefined {
    return inputs[at]?.value.trim() || undefined;
  },

  /** The first field, perhaps with a sign that was typed. */
  focus(sign = ""): void {
    const first = inputs.find((input) => !input.value || sign) ?? inputs[0];
    if (!first) return;
    first.focus();
    if (sign) first.value = sign;
  },

  /** Show the fields of a record, or those of the next one that is drawn. */
  show(layer: Layer, record: number | null, cursor: Spot | null): void {
    if (layer.kind !== "paths" && layer.kind !== "spots") return;
    chosen = record;
    const key = `${layer.name} ${layer.fields.join(" ")} ${record ?? ""} ${record === null ? "" : JSON.stringify(layer.records[record]?.fields)} ${layer.kind === "spots" && cursor ? cursor.at : ""}`;
    if (key === made) return;
    made = key;
    const values = record === null ? (last[layer.name] ?? layer.records.at(-1)?.fields ?? []) : layer.records[record]!.fields;
    inputs = layer.fields.map((name, at) => {
      const list = `known-${layer.name}-${at}`;
      const input = h("input", { type: "text", id: `record-${name}`, class: "short", value: values[at] === "." ? "" : (values[at] ?? ""), list, autocomplete: "off", spellcheck: "false" });
      input.addEventListener("change", () => commit(layer));
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        commit(layer, true);
        document.getElementById("canvas")?.focus();
      });
      return input;
    });
    const words = record !== null ? `${layer.kind === "paths" ? "This line" : "This mark"}` : layer.kind === "paths" ? "Drag through squares; the next line" : cursor ? "Here" : "Choose a place";
    fill(
      element,
      h("span", { class: "faint" }, `${words}:`),
      ...inputs.flatMap((input, at) => [
        h("label", { for: input.id }, layer.fields[at]!),
        input,
        h("datalist", { id: `known-${layer.name}-${at}` }, ...(layer.known[at] ?? []).map((value) => h("option", { value }))),
      ]),
      layer.kind === "spots" && record === null && cursor && button("Put it here", () => commit(layer, true), { class: "small" }),
      record !== null && button("Remove", () => recordTools.cut(record), { class: "small", id: "record-cut" }),
      !layer.fields.length && record === null && layer.kind === "paths" && h("span", { class: "faint" }, "a click on a line chooses it"),
    );
  },
};

function commit(layer: Layer, put = false): void {
  const fields = inputs.map((input) => input.value.trim());
  last[layer.name] = fields;
  if (chosen !== null) recordTools.write(chosen, fields);
  else if (layer.kind === "spots" && put) recordTools.put(fields);
}
