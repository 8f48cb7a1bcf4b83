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
    unpacked(FILES.python.path, came).then((stream) => compiled(stream)),
    unpacked(FILES.library.path, came).then((stream) => new Response(stream).arrayBuffer()),
    unpacked(FILES.worker.path, came).then((stream) => new Response(stream, { headers: { "Content-Type": "text/javascript" } }).blob()),
  ]);
  // A worker of this address obeys the page's own Content-Security-Policy, which one with an address of its own would not.
  return { python, library, worker: URL.createObjectURL(worker) };
}

function compiled(stream: ReadableStream): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

async function unpacked(path: string, came: (bytes: number) => void): Promise<ReadableStream> {
  const response = await kept(path);
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      came(chunk.length);
      out.enqueue(chunk);
    },
  });
  return new XzReadableStream(response.body!.pipeThrough(counted));
}

/** A file of this build: from the browser's store if it is there, else fetched and put there. */
export async function kept(path: string): Promise<Response> {
  const store = await opened();
  const found = await store?.match(path).catch(() => undefined);
  if (found) return found;
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status}`);
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
