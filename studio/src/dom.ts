// Elements made in one expression, and the few helpers that every pane needs.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An element: `on…` props are listeners, `class` and `data-…` are attributes, everything else a property or attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (name === "value") (element as unknown as HTMLInputElement).value = String(value);
    else element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** Replace what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

export function button(label: string, onclick: (event: MouseEvent) => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...props }, label);
}

/** An SVG icon of one path on a field of 16 by 16. */
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

let live: HTMLElement | null = null;
let said = "";

/** Say something to screen readers, without moving the focus. The same news again is noise, unless somebody has asked. */
export function announce(text: string, asked = false): void {
  if (!live) {
    live = h("div", { class: "unseen", "aria-live": "polite", role: "status", id: "announcer" });
    document.body.append(live);
  }
  if (text === said && !asked) return;
  live.textContent = live.textContent === text ? `${text}\u00a0` : text; // else nothing would have changed
  said = text;
}

/** Calls that arrive within one frame become one call. */
export function onFrame(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

/** Let the user keep a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // some browsers read it after the click returns
}
