// `?embed`: the page within another one, such as a teacher's: without what concerns files, and with a way to the whole page.

import { h } from "./dom.ts";
import { link } from "./share.ts";
import { model } from "./store.ts";

export const EMBEDDED = new URLSearchParams(location.search).has("embed");

export function embed(): void {
  document.documentElement.dataset.embed = "yes";
  const away = h("a", { class: "whole", href: location.pathname, target: "_blank", rel: "noopener", id: "whole" }, "Open in covr");
  away.addEventListener("click", () => (away.href = link(model)));
  document.body.append(away);
}
