// Whether the server is there: a stream that it keeps open as long as this page lives.
//
// The server ends the page's questions when this stream closes. When it ends from the other side, the page says so and
// tries again until the server is back.

import { announce, button, fill, h } from "./dom.ts";
import { transport } from "./transport.ts";
import { get, onReach, PAGE, Refused } from "./wire.ts";

const FIRST_WAIT = 500; // milliseconds before the first attempt to connect again; doubled each time
const LONGEST_WAIT = 4000;
const SILENCE = 30_000; // milliseconds without a ping after which the stream is taken for dead

type Hearer = (event: string, data: unknown) => void;
const hearers = new Map<string, Hearer>();

/** Hear the events of a question, by the tag that it was asked with; `lost` if the stream breaks. They all come on one
 *  stream. */
export function hear(tag: string, hearer: Hearer | null): void {
  if (hearer) hearers.set(tag, hearer);
  else hearers.delete(tag);
}

export const banner = h("div", { class: "banner", role: "alert", hidden: true });
export const light = h("span", { class: "light", title: "Connected" });

let hangUp: (() => void) | null = null;
let wait = FIRST_WAIT;
let away = false;
let silence: ReturnType<typeof setTimeout> | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let back: () => void = () => undefined;

export function connect(whenBack: () => void): void {
  back = whenBack;
  onReach((reachable) => reachable || lost());
  listen();
}

function listen(): void {
  clearTimeout(again);
  hangUp?.();
  hangUp = transport.listen(PAGE, {
    alive: () => {
      clearTimeout(silence);
      silence = setTimeout(() => lost(), SILENCE);
      if (away) returned();
    },
    lost,
    told: ({ tag, event, data }) => hearers.get(tag)?.(event, data),
  });
}

function lost(words = "The studio’s server has stopped. Start covr studio again; this page then goes on by itself."): void {
  hangUp?.();
  hangUp = null;
  clearTimeout(silence);
  for (const hearer of [...hearers.values()]) hearer("lost", null);
  if (!away) say(words);
  away = true;
  clearTimeout(again);
  again = setTimeout(() => void probe(), wait);
  wait = Math.min(wait * 2, LONGEST_WAIT);
}

/** A plain request first: its answer tells a server that is away from one that no longer knows this page. */
async function probe(): Promise<void> {
  try {
    await get("/api/start");
    listen();
  } catch (fault) {
    if (!(fault instanceof Refused)) return; // unreachable: `lost` has been called and tries again
    if (fault.status === 403)
      say("The server was started anew and does not know this page. Open the address that it printed; your text is kept here meanwhile.");
    lost();
  }
}

function say(text: string): void {
  fill(banner, h("span", {}, text), button("Try now", () => void probe()));
  banner.hidden = false;
  light.className = "light away";
  light.title = "The server is away";
}

function returned(): void {
  away = false;
  wait = FIRST_WAIT;
  banner.hidden = true;
  light.className = "light";
  light.title = "Connected";
  announce("Connected again.");
  back();
}
