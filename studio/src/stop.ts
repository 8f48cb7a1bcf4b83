// The button that stops what a pane has asked; it can be pressed only while a question works.

import { button } from "./dom.ts";
import type { Slot } from "./jobs.ts";

export function stopButton(slot: Slot): HTMLButtonElement {
  const press = button("Stop", () => slot.stop(), { class: "stop", title: "Stop (Ctrl+.)", disabled: true });
  slot.onBusy = () => (press.disabled = !slot.working);
  return press;
}
