// Small questions to the user, in the browser's own dialog element, which keeps the focus and closes on Escape.

import { button, h } from "./dom.ts";

/** Ask for a line of text; null if nothing was given. */
export function askFor(title: string, label: string, value = ""): Promise<string | null> {
  const input = h("input", { type: "text", value, id: "asked", autocomplete: "off", spellcheck: "false" });
  return show(title, [h("label", { for: "asked" }, label), input], title, () => input.value.trim() || null, input);
}

/** Ask whether to go on. */
export async function confirm(title: string, text: string, yes: string): Promise<boolean> {
  return (await show(title, [h("p", {}, text)], yes, () => "yes")) === "yes";
}

/** Show something until it is closed. */
export function tell(title: string, content: Node[], name = ""): HTMLDialogElement {
  const dialog = h("dialog", { class: `dialog ${name}`, "aria-label": title });
  dialog.append(
    h("header", {}, h("h2", {}, title), button("×", () => dialog.close(), { class: "quiet", "aria-label": "Close" })),
    h("div", { class: "content" }, ...content),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function show(
  title: string,
  content: Node[],
  yes: string,
  value: () => string | null,
  first?: HTMLInputElement,
): Promise<string | null> {
  return new Promise((resolve) => {
    let answer: string | null = null;
    const form = h("form", { method: "dialog" }, ...content);
    const dialog = tell(title, [form], "small");
    form.append(
      h(
        "div",
        { class: "row end" },
        button("Cancel", () => dialog.close()),
        h("button", { type: "submit", class: "primary" }, yes),
      ),
    );
    form.addEventListener("submit", () => {
      answer = value();
    });
    dialog.addEventListener("close", () => resolve(answer));
    first?.select();
  });
}
