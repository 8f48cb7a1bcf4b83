// SVG that covr drew, as elements of the page.

const ALLOWED = new Set([
  "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc", "defs", "clipPath",
  "use", "symbol", "pattern", "linearGradient", "radialGradient", "stop", "marker", "mask",
]); // prettier-ignore

/** The picture as an element; null if it is none. Whatever could act (scripts, links, listeners) is left out. */
export function asElement(svg: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") return null;
  for (const element of [...parsed.querySelectorAll("*"), parsed]) {
    if (!ALLOWED.has(element.localName)) {
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      const outside = /^(xlink:)?href$/.test(name) && !value.startsWith("#");
      if (name.startsWith("on") || outside) element.removeAttribute(name);
      // Style attributes are against the page's policy; the same as a property is not.
      if (name === "style") {
        element.removeAttribute(name);
        (element as SVGElement).style.cssText = value;
      }
    }
  }
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

/** The picture as an address for an <img>; let go of it with URL.revokeObjectURL. */
export function asAddress(svg: string): string {
  return URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
}

/** Width and height that a picture asks for, in pixels. */
export function sizeOf(svg: string): { width: number; height: number } {
  const head = svg.slice(0, 600);
  const number = (name: string) => Number(new RegExp(`\\s${name}="([0-9.]+)`).exec(head)?.[1] ?? 0);
  return { width: number("width") || 300, height: number("height") || 300 };
}
