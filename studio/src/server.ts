// The server that the page came from. No other address is ever asked.
//
// A browser opens six connections to a server, for all of its tabs together. So all tabs hear the server on one line,
// which a worker that they share holds for them (line.ts). Where there is none, each tab has a line of its own.

import type { FromLine, Told, ToLine } from "./line.ts";
import type { Hearer, Transport } from "./transport.ts";

declare const LINE: string; // what names the worker's script: tabs of another version have a worker of their own

const DEAF = 10_000; // milliseconds after which a worker that says nothing at all is done without

export const server: Transport = {
  request: (path, init) => fetch(path, { credentials: "same-origin", ...init }),
  listen: (page, hearer) => (worker === null || !mayShare() ? ownLine(page, hearer) : sharedLine(page, hearer)),
  thumb: (name, theme) => `/api/gallery/${encodeURIComponent(name)}.svg?theme=${theme}`,
  folder: true,
  formats: ["svg", "png", "pdf"],
};

let worker: SharedWorker | null | undefined; // null: it does not work here
let held: Promise<void> | undefined; // resolved once this tab has the lock that says that it lives

function mayShare(): boolean {
  return typeof SharedWorker === "function" && "locks" in navigator;
}

function sharedLine(page: string, hearer: Hearer): () => void {
  let open = true;
  const gone = () => {
    worker = null;
    if (open) hearer.lost(); // and the next line is this tab's own
  };
  try {
    worker ??= new SharedWorker("/static/line.js", { name: LINE });
  } catch {
    worker = null;
    return ownLine(page, hearer);
  }
  const { port } = worker;
  const deaf = setTimeout(gone, DEAF);
  worker.onerror = gone;
  port.onmessage = ({ data }: MessageEvent<FromLine>) => {
    clearTimeout(deaf);
    if (!open) return;
    if (data.kind === "alive") hearer.alive();
    else if (data.kind === "lost") hearer.lost(data.words);
    else if (data.kind === "told") hearer.told(data.told);
  };
  const say = (message: ToLine) => port.postMessage(message);
  held ??= new Promise((begin, refused) => {
    navigator.locks.request(page, () => (begin(), new Promise(() => undefined))).catch(refused);
  });
  held.then(() => open && say({ kind: "join", page }), gone);
  return () => {
    open = false;
    clearTimeout(deaf);
    say({ kind: "leave", page });
  };
}

function ownLine(page: string, hearer: Hearer): () => void {
  const stream = new EventSource(`/api/page/${page}`);
  let open = true;
  const heard = (act: () => void) => () => open && act();
  stream.onopen = heard(() => hearer.alive());
  stream.onerror = heard(() => hearer.lost());
  stream.addEventListener("ping", heard(() => hearer.alive()));
  stream.addEventListener("gone", heard(() => hearer.lost()));
  stream.addEventListener("job", (event) => open && hearer.told(JSON.parse((event as MessageEvent<string>).data) as Told));
  return () => {
    open = false;
    stream.close();
  };
}
