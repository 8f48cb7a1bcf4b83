// Workers: one is about texts, the others take one question at a time. Some wait for their first; one that works is ended
// at once, and a new one takes its place. The first is started alone; the others go on from its memory.

import { allKept } from "./packages.ts";
import { fetchRest, fetchScript, keepMemory, PATHS, progress, SOLVERS, SOURCE } from "./runtime.ts";
import type { FromWorker, Memory, ToWorker } from "./worker.ts";

export const MOST_MEMORY = 2 ** 30; // bytes that a worker may take; in_page.py says the same
const WORN = 400 * 2 ** 20; // bytes above which a worker is not used again: its memory never shrinks

/** A worker with Python. */
export class PythonWorker {
  private readonly worker: Worker;
  readonly ready: Promise<Memory | null>; // of the first worker: its memory, for the others
  private answers = new Map<number, (text: string) => void>();
  private next = 0;
  private failed!: (fault: Error) => void;
  ended = false;
  bytes = 0;

  /** Hear what a question tells, as JSON. */
  onEvent: (text: string) => void = () => undefined;
  onIdle: () => void = () => undefined;
  onBroken: (words: string) => void = () => undefined;

  /** from: what it goes on from; the first worker of a page fetches what it needs. */
  constructor(script: string, from: (Memory & { rest: ArrayBuffer }) | null) {
    this.worker = new Worker(script, { type: "module" });
    let begun: (memory: Memory | null) => void;
    this.ready = new Promise((resolve, reject) => ((begun = resolve), (this.failed = reject)));
    this.worker.onerror = (event) => this.fail(event.message || "the worker could not start");
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (this.ended) return;
      if (data.kind === "ready") performance.mark("covr-worker", { detail: data.times }), begun(data.memory);
      else if (data.kind === "came") came(data.bytes);
      else if (data.kind === "event") this.onEvent(data.text);
      else if (data.kind === "broken") this.fail(data.words);
      else if (data.kind === "idle") (this.bytes = data.bytes), this.onIdle();
      else this.answers.get(data.id)?.(data.text), this.answers.delete(data.id);
    };
    this.ready.catch(() => undefined);
    this.send({ kind: "begin", from, most: MOST_MEMORY, source: SOURCE, files: PATHS, solvers: SOLVERS });
  }

  /** It can't go on. */
  fail(words: string): void {
    if (this.ended) return;
    this.end();
    this.failed(new Error(words));
    this.onBroken(words);
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** Ask, and hear the answer. */
  call(kind: "about" | "ask", name: string, raw: string): Promise<string> {
    const id = ++this.next;
    return new Promise((resolve) => {
      this.answers.set(id, resolve);
      this.send(kind === "about" ? { kind, id, name, raw } : { kind, id, raw });
    });
  }

  end(): void {
    this.ended = true;
    this.worker.terminate();
  }

  get worn(): boolean {
    return this.bytes > WORN;
  }
}

let loaded: (part: number) => void = () => undefined;
const came = progress((part) => loaded(part));

export function onLoading(hear: (part: number) => void): void {
  loaded = hear;
}

let script: Promise<string> | null = null;
let shared: Promise<Memory & { rest: ArrayBuffer }> | null = null;

/** A worker that begins to start. */
export async function start(): Promise<PythonWorker> {
  if (shared) {
    const from = await shared;
    return new PythonWorker(await script!, from);
  }
  script ??= fetchScript(came);
  const first = script.then((found) => new PythonWorker(found, null));
  shared = first.then(share);
  shared.catch(() => (script = shared = null)); // the next one tries again
  return first;
}

/** What the first worker gives the others, once it has all modules itself. */
async function share(worker: PythonWorker): Promise<Memory & { rest: ArrayBuffer }> {
  const memory = (await worker.ready)!;
  const rest = await fetchRest().catch((fault: Error) => {
    worker.fail(fault.message);
    throw fault;
  });
  worker.send({ kind: "rest", rest });
  return { ...memory, rest };
}

/** Keep what was fetched, and the memory of the first worker, for visits that follow. */
export async function keepAll(): Promise<void> {
  await allKept();
  if (shared) await keepMemory((await shared).snapshot);
}

/** Workers for questions. */
export class Pool {
  private idle: PythonWorker[] = [];
  private starting = 0;
  private waiting: ((worker: PythonWorker) => void)[] = [];
  private failed: ((fault: Error) => void)[] = [];

  /** spare: how many workers wait. */
  constructor(public spare = 0) {}

  get anyIdle(): boolean {
    return this.idle.length > 0;
  }

  /** See to it that enough workers wait. */
  warm(): void {
    for (let have = this.idle.length + this.starting; have < this.spare + this.waiting.length; have++) void this.add();
  }

  private async add(): Promise<void> {
    this.starting++;
    try {
      const worker = await start();
      await worker.ready;
      this.starting--;
      this.put(worker);
    } catch (fault) {
      this.starting--;
      this.waiting = [];
      for (const tell of this.failed.splice(0)) tell(fault as Error);
    }
  }

  /** A worker for a question. Rejects if none can be started. */
  take(): Promise<PythonWorker> {
    const worker = this.idle.shift();
    if (worker) {
      setTimeout(() => this.warm(), 0);
      return Promise.resolve(worker);
    }
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      this.failed.push(reject);
      this.warm();
    });
  }

  /** A worker waits, or has answered. */
  put(worker: PythonWorker): void {
    worker.onEvent = worker.onIdle = worker.onBroken = () => undefined;
    if (worker.ended || worker.worn) {
      worker.end();
      return this.warm();
    }
    const next = this.waiting.shift();
    this.failed.shift();
    if (next) return next(worker);
    if (this.idle.length > this.spare) return worker.end();
    worker.onBroken = () => ((this.idle = this.idle.filter((one) => one !== worker)), this.warm());
    this.idle.push(worker);
  }
}
