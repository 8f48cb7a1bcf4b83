// The live analysis: after every edit, at most one request under way, and always one for the last edit.

import { announce } from "./dom.ts";
import { model, on, setAnalysis, setPending } from "./store.ts";
import type { Analysis, Fault } from "./types.ts";
import { notice } from "./notices.ts";
import { PAGE, post, Refused } from "./wire.ts";

const NOTHING = { tokens: [], folds: [], symbols: [] }; // of a text of which only the faults are known
const UNSEEN = 120; // milliseconds for which what was known of the text before may stay as it is

let waiting: ReturnType<typeof setTimeout> | undefined;
let version = 0;
let analysed = 0;
let underWay = false;

const RETRY = 1000; // milliseconds until a request that failed is made again
const SPEAK = 1500; // milliseconds without a keystroke before faults are read out

const MEND = 250; // milliseconds without a keystroke before all mends are looked for

const REST = 250; // milliseconds without a keystroke before the rest about a long text is asked for

let resting: ReturnType<typeof setTimeout> | undefined;
let mending: ReturnType<typeof setTimeout> | undefined;
let speaking: ReturnType<typeof setTimeout> | undefined;

async function run(): Promise<void> {
  if (underWay) return; // the request under way starts the next one when it is answered
  underWay = true;
  while (analysed < version) {
    const asked = version;
    try {
      const { name, text, data } = model;
      const analysis = await post<Analysis>("/api/analyse", { page: PAGE, name, text, data, version: asked });
      analysed = asked;
      if (asked === version && !analysis.stale) {
        performance.mark("covr-analysed");
        setPending(false);
        setAnalysis(analysis.more ? { ...NOTHING, ...model.analysis, ...analysis } : analysis);
        if (analysis.more) restLater(asked);
        speakLater();
        mendsLater(asked);
      }
    } catch (fault) {
      if (fault instanceof Refused && fault.status === 413) {
        analysed = asked;
        setPending(false);
        notice(`The text can't be read: ${fault.message}.`, "bad");
      } else if (asked === version) await new Promise((go) => setTimeout(go, RETRY));
    }
  }
  underWay = false;
}

/** What a long text has besides faults (colours, folds, names) is asked for when nobody types: until then, what is shown
 *  of it moves along with the text. */
function restLater(asked: number): void {
  clearTimeout(resting);
  resting = setTimeout(async () => {
    const { name, text, data } = model;
    if (asked !== version) return;
    const found = await post<Analysis>("/api/details", { page: PAGE, name, text, data, version: asked }).catch(() => null);
    if (asked !== version || !found || found.stale || !model.analysis) return;
    const mended = model.analysis.faults.length === found.faults.length && !model.analysis.faults.some((fault) => fault.fixes === null);
    setAnalysis(mended ? { ...found, faults: model.analysis.faults } : found);
  }, REST);
}

/** Mends that were not found at once, because somebody was typing, are asked for when nobody is. */
function mendsLater(asked: number): void {
  clearTimeout(mending);
  if (!model.analysis?.faults.some((fault) => fault.fixes === null)) return;
  mending = setTimeout(async () => {
    const { name, text, data } = model;
    const found = await post<{ faults?: Fault[] }>("/api/fixes", { page: PAGE, name, text, data, version: asked }).catch(() => null);
    if (asked === version && found?.faults && model.analysis) setAnalysis({ ...model.analysis, faults: found.faults });
  }, MEND);
}

function speakLater(): void {
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    const errors = model.analysis?.faults.filter((fault) => fault.severity === "error") ?? [];
    if (errors.length) announce(`${errors.length === 1 ? "1 error" : `${errors.length} errors`}: ${errors[0]!.message}`);
  }, SPEAK);
}

export function startAnalysis(): void {
  const edited = () => {
    version++;
    clearTimeout(waiting);
    waiting = setTimeout(() => analysed < version && setPending(true), UNSEEN);
    void run();
  };
  on("text", edited);
  on("data", edited);
}

/** The number of the text as it is now; the server answers questions about older texts with `stale`. */
export function textVersion(): number {
  return version;
}
