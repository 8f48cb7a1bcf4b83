// Requests to what answers the page (transport.ts).

import { transport } from "./transport.ts";

/** A request that was refused, with what the server says about it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly answer: unknown = null,
  ) {
    super(message);
  }
}

/** The server did not answer at all. */
export class Unreachable extends Error {
  constructor() {
    super("the server does not answer");
  }
}

type Watcher = (reachable: boolean) => void;
const watchers = new Set<Watcher>();

/** Hear whether requests arrive; called after every request. */
export function onReach(watcher: Watcher): void {
  watchers.add(watcher);
}

const WHY: Record<number, string> = {
  403: "the server does not know this page any more: open the address that covr studio printed",
  413: "this is larger than the studio takes",
  429: "too many requests at once: try again in a moment",
};

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await transport.request(path, init);
  } catch (fault) {
    if (init.signal?.aborted) throw fault;
    for (const watcher of watchers) watcher(false);
    throw new Unreachable();
  }
  for (const watcher of watchers) watcher(true);
  if (response.ok) return response;
  const said = await response.json().catch(() => null);
  const words = typeof said?.error === "string" ? said.error : WHY[response.status];
  throw new Refused(response.status, words ?? `the server answered ${response.status}`, said);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal })).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const said = foreign() && typeof body === "object" ? { ...body, foreign: true } : body;
  return (await send(path, { ...asJson("POST", said), signal })).json() as Promise<T>;
}

export async function put<T>(path: string, body: unknown): Promise<T> {
  return (await send(path, asJson("PUT", body))).json() as Promise<T>;
}

export async function postForBlob(path: string, body: unknown): Promise<Blob> {
  return (await send(path, asJson("POST", body))).blob();
}

let largest = Infinity; // bytes that the server takes

/** Requests with larger bodies are refused here: the server would hang up in the middle of them. */
export function setLargest(bytes: number | undefined): void {
  largest = bytes ?? Infinity;
}

function asJson(method: string, body: unknown): RequestInit {
  const text = JSON.stringify(body);
  const most = text.length * 3; // bytes that so many code units can take
  if (most > largest && new Blob([text]).size > largest) throw new Refused(413, WHY[413]!);
  return { method, headers: { "Content-Type": "application/json" }, body: text };
}

let foreign = () => false;

/** Say of each text that is sent whether it came by a link: such a model reads no files. */
export function setForeign(whether: () => boolean): void {
  foreign = whether;
}

/** Who this tab is: jobs belong to it and end with it. */
export const PAGE = crypto.randomUUID();
