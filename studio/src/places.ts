// Which choices may stand at a place of the picture, and where a choice stands: asked once for each model.

import { Slot } from "./jobs.ts";
import { question } from "./picture.ts";
import { meaning } from "./store.ts";

const slot = new Slot();
let known = "";
let asking: Promise<void> = Promise.resolve();
let at = new Map<string, string[]>(); // place → choices
let of = new Map<string, string[]>(); // choice → places
let texts = new Map<string, string>(); // choice → what it writes
let given = new Set<string>(); // places at which something stands that the givens settle

/** See to it that the places of the model as it is now are known. */
function learn(): Promise<void> {
  const now = meaning();
  if (now === known) return asking;
  known = now;
  at = new Map();
  of = new Map();
  texts = new Map();
  given = new Set();
  asking = new Promise((done) => {
    void slot.ask(question("places"), {
      places: ({ places, texts: written, given: sure }) => {
        given = new Set(sure);
        texts = new Map(Object.entries(written));
        for (const [place, choices] of Object.entries(places)) {
          at.set(place, choices);
          for (const choice of choices) of.set(choice, [...(of.get(choice) ?? []), place]);
        }
      },
      end: () => done(),
    });
  });
  return asking;
}

export async function choicesAt(place: string): Promise<string[]> {
  await learn();
  return at.get(place) ?? [];
}

export async function placesOf(choices: string[]): Promise<string[]> {
  await learn();
  return choices.flatMap((choice) => of.get(choice) ?? []);
}

export interface Places {
  at: Map<string, string[]>; // place → choices
  of: Map<string, string[]>; // choice → places
  texts: Map<string, string>; // choice → what it writes
  given: Set<string>; // places at which something stands that the givens settle
}

/** All of it, once it is known. */
export async function allPlaces(): Promise<Places> {
  await learn();
  return { at, of, texts, given };
}

/** All of it, if it is known already. */
export function placesNow(): Places | null {
  return known === meaning() && of.size ? { at, of, texts, given } : null;
}
