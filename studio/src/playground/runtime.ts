// What a worker needs, fetched once and kept by the browser: Python, its library, covr. The files are packed by xz, whose
// decoder is WebAssembly, too; Python is compiled while it comes in, and all workers share the result.

import { XzReadableStream } from "xz-decompress";

declare const BUILD: string; // what names this build, and the browser's store of it
declare const FILES: Record<"python" | "library" | "worker", { path: string; bytes: number }>;

export const STORE = `covr-${BUILD}`;

export interface Runtime {
  python: WebAssembly.Module;
  library: ArrayBuffer;
  worker: string; // the address of the worker's script
}

/** Hear how many of the bytes have come, from 0 to 1. */
export async function fetchRuntime(hear: (part: number) => void): Promise<Runtime> {
  let come = 0;
  const whole = Object.values(FILES).reduce((sum, { bytes }) => sum + bytes, 0);
  const came = (bytes: number) => hear((come += bytes) / whole);
  const [python, library, worker] = await Promise.all([
    unpacked(FILES.python.path, "application/wasm", came).then((response) => WebAssembly.compileStreaming(response)),
    unpacked(FILES.library.path, "application/octet-stream", came).then((response) => response.arrayBuffer()),
    unpacked(FILES.worker.path, "text/javascript", came).then((response) => response.blob()),
  ]);
  // A worker of this address obeys the page's own Content-Security-Policy, which one with an address of its own would not.
  return { python, library, worker: URL.createObjectURL(worker) };
}

/** A packed file, unpacked. It is kept so, for visits that follow: they need not unpack it, and the browser may keep what
 *  it has compiled with it. */
async function unpacked(path: string, type: string, came: (bytes: number) => void): Promise<Response> {
  const store = await opened();
  const name = path.replace(/\.xz$/, "");
  const found = await store?.match(name).catch(() => undefined);
  if (found) return found;
  const response = await fetched(path);
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      came(chunk.length);
      out.enqueue(chunk);
    },
  });
  const made = new Response(new XzReadableStream(response.body!.pipeThrough(counted)), { headers: { "Content-Type": type } });
  if (store) storing.push(store.put(name, made.clone()).catch(() => undefined));
  return made;
}

const storing: Promise<unknown>[] = [];

/** Resolves once all that was fetched is kept. */
export async function allKept(): Promise<void> {
  await Promise.all(storing);
}

async function fetched(path: string): Promise<Response> {
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status}`);
  return response;
}

/** A file of this build: from the browser's store if it is there, else fetched and put there. */
export async function kept(path: string): Promise<Response> {
  const store = await opened();
  const found = await store?.match(path).catch(() => undefined);
  if (found) return found;
  const response = await fetched(path);
  void store?.put(path, response.clone()).catch(() => undefined);
  return response;
}

/** The browser's store; null where it is forbidden, as in some private windows. */
async function opened(): Promise<Cache | null> {
  try {
    return await caches.open(STORE);
  } catch {
    return null;
  }
}
