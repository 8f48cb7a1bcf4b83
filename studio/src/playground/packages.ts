// The files that a worker needs, packed by xz: fetched once, unpacked, and kept by the browser for visits that follow.

import { XzReadableStream } from "xz-decompress";

/** Where files come from, which workers are told: their own address is none. */
export interface Source {
  page: string; // the address of the page
  store: string; // what the browser's store of this build is called
}

/** A packed file, unpacked. It is kept so, for visits that follow: they need not unpack it, and the browser may keep what
 *  it has compiled with it. came: hears how many bytes have come. */
export async function unpacked({ page, store: name }: Source, path: string, type: string, came: (bytes: number) => void = () => undefined): Promise<Response> {
  const store = await opened(name);
  const address = new URL(path.replace(/\.xz$/, ""), page).href;
  const found = await store?.match(address).catch(() => undefined);
  if (found) return found;
  const response = await fetched(new URL(path, page).href);
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      came(chunk.length);
      out.enqueue(chunk);
    },
  });
  const made = new Response(new XzReadableStream(response.body!.pipeThrough(counted)), { headers: { "Content-Type": type } });
  if (store) storing.push(store.put(address, made.clone()).catch(() => undefined));
  return made;
}

const storing: Promise<unknown>[] = [];

/** Resolves once all that was fetched here is kept. */
export async function allKept(): Promise<void> {
  await Promise.all(storing);
}

export async function fetched(path: string): Promise<Response> {
  const response = await fetch(path, { credentials: "same-origin" });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status}`);
  return response;
}

/** The browser's store; null where it is forbidden, as in some private windows. */
export async function opened(name: string): Promise<Cache | null> {
  try {
    return await caches.open(name);
  } catch {
    return null;
  }
}

/** What the memory of a worker is kept as. Other browsers, and others of its versions, may put things in other places. */
export function snapshotName({ page }: Source): string {
  return new URL(`memory?${encodeURIComponent(navigator.userAgent)}`, page).href;
}
