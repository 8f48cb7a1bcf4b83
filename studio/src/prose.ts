// Help texts, which the server writes in a little Markdown: paragraphs, `code`, fenced code, *emphasis*, headings, lists.
// Everything becomes text nodes: nothing that a model holds is ever read as HTML.

import { h } from "./dom.ts";

export function prose(text: string): HTMLElement {
  const holder = h("div", { class: "prose" });
  let rest = text.replace(/\r/g, "");
  const fence = /^(`{3,})[^\n]*\n([^]*?)\n?\1[ \t]*(?:\n|$)/m;
  for (let found = fence.exec(rest); found; found = fence.exec(rest)) {
    paragraphs(holder, rest.slice(0, found.index));
    holder.append(h("pre", {}, found[2]!));
    rest = rest.slice(found.index + found[0].length);
  }
  paragraphs(holder, rest);
  return holder;
}

function paragraphs(holder: HTMLElement, text: string): void {
  for (const block of text.split(/\n\s*\n/)) {
    if (!block.trim()) continue;
    const heading = /^#{1,6} (.*)/.exec(block.trim());
    if (/^( {4}|\t)/.test(block.replace(/^\n+/, ""))) holder.append(h("pre", {}, block.replace(/^\n+/, "").replace(/^ {4}/gm, "")));
    else if (heading) holder.append(h("p", { class: "heading" }, ...inline(heading[1]!)));
    else if (/^\s*[-*] /.test(block)) holder.append(list(block));
    else holder.append(h("p", {}, ...inline(block.trim())));
  }
}

function list(block: string): HTMLElement {
  const items = block.trim().split(/\n(?=\s*[-*] )/);
  return h("ul", {}, ...items.map((item) => h("li", {}, ...inline(item.replace(/^\s*[-*] /, "")))));
}

/** Text with `code`, **strong** and *emphasis* in it. */
export function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const found of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\n]+)\*|\[([^\]]+)\]\([^)]*\)/g)) {
    parts.push(text.slice(at, found.index));
    if (found[1]) parts.push(h("code", {}, found[1]));
    else if (found[2]) parts.push(h("strong", {}, found[2]));
    else if (found[3]) parts.push(h("em", {}, found[3]));
    else parts.push(found[4]!);
    at = found.index + found[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}
