// Workers: one is about texts, the others take one question at a time. Some wait for their first, because to start one
// takes longer than most questions; one that works is ended at once, and a new one takes its place.

import { fetchRuntime, type Runtime } from "./runtime.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

export const MOST_MEMORY = 2 ** 30; // bytes that a worker may take; in_page.py says the same
const WORN = 400 * 2 ** 20; // bytes above which a worker is not used again: its memory never shrinks

/** A worker with Python. */
export class PythonWorker {
  private readonly worker: Worker;
  readonly ready: Promise<void>;
  private answers = new Map<number, (text: string) => void>();
  private next = 0;
  ended = false;
  bytes = 0;

  /** Hear what a question tells, as JSON. */
  onEvent: (text: string) => void = () => undefined;
  onIdle: () => void = () => undefined;
  onBroken: (words: string) => void = () => undefined;

  constructor(runtime: Runtime) {
    this.worker = new Worker(runtime.worker, { type: "module" });
    let begun: () => void;
    let failed: (fault: Error) => void;
    this.ready = new Promise((resolve, reject) => ((begun = resolve), (failed = reject)));
    const broken = (words: string) => {
      if (this.ended) return;
      this.end();
      failed(new Error(words));
      this.onBroken(words);
    };
    this.worker.onerror = (event) => broken(event.message || "the worker could not start");
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (this.ended) return;
      if (data.kind === "ready") begun();
      else if (data.kind === "event") this.onEvent(data.text);
      else if (data.kind === "broken") broken(data.words);
      else if (data.kind === "idle") (this.bytes = data.bytes), this.onIdle();
      else this.answers.get(data.id)?.(data.text), this.answers.delete(data.id);
    };
    this.ready.catch(() => undefined);
    this.send({ kind: "begin", python: runtime.python, library: runtime.library, most: MOST_MEMORY });
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

let runtime: Promise<Runtime> | null = null;
let loaded: (part: number) => void = () => undefined;

export function onLoading(hear: (part: number) => void): void {
  loaded = hear;
}

export async function start(): Promise<PythonWorker> {
  runtime ??= fetchRuntime((part) => loaded(part));
  runtime.catch(() => (runtime = null)); // the next one tries again
  return new PythonWorker(await runtime);
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
