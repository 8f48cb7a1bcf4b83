// Keeps the page for visits without network. What the page itself has fetched is in the same store already (runtime.ts).

declare const BUILD: string;
declare const PAGE: string[]; // what the page is made of
declare const LATER: string[]; // pictures of the gallery, which are kept once there is nothing else to do

interface Worker extends EventTarget {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { scope: string };
}
interface Lasting extends Event {
  waitUntil(what: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as Worker;
const STORE = `covr-${BUILD}`;

worker.addEventListener("install", (event) => (event as Lasting).waitUntil(keepAll(PAGE).then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => (event as Lasting).waitUntil(begin()));
worker.addEventListener("fetch", (event) => {
  const { request } = event as Fetching;
  if (request.method === "GET" && request.url.startsWith(worker.registration.scope)) (event as Fetching).respondWith(answer(request));
});

async function keepAll(paths: string[]): Promise<void> {
  const store = await caches.open(STORE);
  for (const path of paths) if (!(await store.match(path))) await store.add(path);
}

async function begin(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith("covr-") && name !== STORE) await caches.delete(name);
  await worker.clients.claim();
  void keepAll(LATER).catch(() => undefined);
}

/** From the store, else from the network. */
async function answer(request: Request): Promise<Response> {
  const store = await caches.open(STORE);
  const address = new URL(request.url);
  const path = request.mode === "navigate" ? worker.registration.scope : `${address.origin}${address.pathname}`;
  return (await store.match(path)) ?? fetch(request);
}
