// The matrix pane: items by options, and the choice under the pointer lit in the picture.

import { announce, button, fill, h } from "./dom.ts";
import { Slot } from "./jobs.ts";
import { light } from "./light.ts";
import { MatrixView } from "./matrixview.ts";
import { isShown, onPane, panel } from "./panes.ts";
import { question } from "./picture.ts";
import { grouped, Standing } from "./progress.ts";
import { faulty, meaning, on } from "./store.ts";
import type { MatrixTold } from "./types.ts";

const slot = new Slot();
const standing = new Standing();
let view: MatrixView;
let shown: MatrixTold | null = null;
let asked = "";
let size: HTMLElement;
let under: HTMLElement;

export function makeMatrix(): void {
  view = new MatrixView(point);
  size = h("span", { class: "faint", id: "matrix-size" });
  under = h("p", { class: "under faint", id: "matrix-under" }, "\u00a0");
  panel("matrix").append(
    h("div", { class: "tools" }, button("Refresh", () => ((asked = ""), ask()), { class: "quiet", "data-main": "" }), size),
    standing.element,
    under,
    view.element,
  );
  view.element.hidden = true;
  onPane("matrix", ask, () => void light([]));
  on("meaning", ask);
  on("model", () => {
    slot.drop();
    asked = "";
    view.element.hidden = true;
    fill(size);
  });
}

function ask(): void {
  if (faulty() || !isShown("matrix") || asked === meaning()) return;
  asked = meaning();
  standing.begin("Building the matrix…");
  void slot.ask(question("matrix"), {
    matrix: (matrix) => {
      shown = matrix;
      const cut = matrix.cut ? `; the first ${grouped(matrix.options.length)} and ${grouped(matrix.items.length)} are shown` : "";
      fill(size, `${grouped(matrix.whole.options)} options, ${grouped(matrix.whole.items)} items${cut}`);
      view.element.hidden = false;
      view.show(matrix);
    },
    note: ({ text }) => fill(under, text),
    fault: ({ faults }) => fill(under, faults[0]?.message ?? ""),
    end: (end) => standing.end(end, end.status === "done" ? "" : end.words),
  });
}

function point(row: number): void {
  const option = shown?.options[row];
  void light(option ? [option.choice] : []);
  if (!option || !shown) return void fill(under, "\u00a0");
  const items = option.items.map((item) => shown!.items[item]?.name).filter(Boolean);
  fill(under, h("strong", {}, option.label), ` covers ${items.join(", ")}`);
  if (document.activeElement?.classList.contains("matrix-scroll")) announce(under.textContent ?? "");
}
