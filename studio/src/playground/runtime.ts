// What workers need, fetched once and kept by the browser (packages.ts): their script; all else the first worker fetches by
// itself.

import type { Files, Solvers } from "./worker.ts";
import { fetched, opened, snapshotName, type Source, unpacked } from "./packages.ts";

declare const BUILD: string; // what names this build, and the browser's store of it
declare const FILES: Record<"python" | "first" | "rest" | "worker" | "highs" | "clingo", { path: string; bytes: number }>;
declare const SCRIPTS: Record<"highs" | "clingo", string>; // the paths of their scripts

export const SOURCE: Source = { page: location.href.replace(/[?#].*/, ""), store: `covr-${BUILD}` };
export const PATHS: Files = { python: FILES.python.path, first: FILES.first.path };
export const SOLVERS: Solvers = {
  highs: { script: SCRIPTS.highs, wasm: FILES.highs.path },
  clingo: { script: SCRIPTS.clingo, wasm: FILES.clingo.path },
};

/** Hear how many of the bytes have come, from 0 to 1. */
export function progress(hear: (part: number) => void): (bytes: number) => void {
  let come = 0;
  const whole = FILES.python.bytes + FILES.first.bytes + FILES.worker.bytes;
  return (bytes) => hear((come += bytes) / whole);
}

/** The address of the workers' script. */
export async function fetchScript(came: (bytes: number) => void): Promise<string> {
  const script = await (await unpacked(SOURCE, FILES.worker.path, "text/javascript", came)).blob();
  // A worker of this address obeys the page's own Content-Security-Policy, which one with an address of its own would not.
  return URL.createObjectURL(script);
}

/** The modules that the first question does not need. */
export async function fetchRest(): Promise<ArrayBuffer> {
  return (await unpacked(SOURCE, FILES.rest.path, "application/octet-stream")).arrayBuffer();
}

/** Keep the memory of a worker that has answered nothing yet. */
export async function keepMemory(snapshot: ArrayBuffer): Promise<void> {
  const store = await opened(SOURCE.store);
  const name = snapshotName(SOURCE);
  if (store && !(await store.match(name))) await store.put(name, new Response(snapshot)).catch(() => undefined);
}

/** Forget the memory that was kept. Whether there was one. */
export async function forgetMemory(): Promise<boolean> {
  return (await (await opened(SOURCE.store))?.delete(snapshotName(SOURCE)).catch(() => false)) ?? false;
}

/** A file of this build: from the browser's store if it is there, else fetched and put there. */
export async function kept(path: string): Promise<Response> {
  const store = await opened(SOURCE.store);
  const found = await store?.match(path).catch(() => undefined);
  if (found) return found;
  const response = await fetched(path);
  void store?.put(path, response.clone()).catch(() => undefined);
  return response;
}
