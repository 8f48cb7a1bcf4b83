// Short news at the foot of the page. They go by themselves, unless something was refused or an action is offered.

import { announce, button, h } from "./dom.ts";

let holder: HTMLElement | null = null;
const STAY = 6000; // milliseconds

export function notice(text: string, kind: "good" | "bad" = "good", action?: { label: string; run: () => void }): void {
  if (!holder) {
    holder = h("div", { class: "notices" });
    document.body.append(holder);
  }
  for (const old of holder.querySelectorAll(".notice")) if (old.firstChild?.textContent === text) old.remove();
  const shown = h("div", { class: `notice ${kind}` }, h("span", {}, text));
  if (action)
    shown.append(
      button(action.label, () => {
        shown.remove();
        action.run();
      }),
    );
  shown.append(button("×", () => shown.remove(), { class: "quiet", "aria-label": "Dismiss" }));
  holder.append(shown);
  announce(text);
  if (kind === "good" && !action) setTimeout(() => shown.remove(), STAY);
}
