// The questions that are open: a limited number run at once, a new one replaces an older one of its kind, and one that
// works is ended by ending its worker (covr/studio/job.py does the same with processes).

import { grouped } from "../progress.ts";
import { type Opening, openingPicture, type Told } from "./opening.ts";
import { Pool, type PythonWorker } from "./pool.ts";

const LIVE = ["puzzle", "candidates", "hand"]; // asked at each keystroke
const LIVE_SECONDS = 10;
const SECONDS = 600; // for any other question; in_page.py says the same
const OVER = 2; // seconds that a worker may take beyond its limit, which it keeps by itself if it can
const MOST = 3; // questions that run at the same time; others wait for one of them
const GRACE = 400; // milliseconds in which a question that nobody wants any more may end by itself and spare its worker
const READY = (navigator as { deviceMemory?: number }).deviceMemory! < 4 ? 1 : 2; // workers that wait

interface Asked {
  kind: string;
  tag?: string;
  replaces?: string | null;
  text: string;
  data?: Record<string, string>;
  options?: { theme?: string; seconds?: number };
}

interface Job {
  id: string;
  asked: Asked;
  raw: string;
  worker: PythonWorker | null;
  paused: boolean;
  done: boolean;
  spent: number; // seconds that it has worked, without its pauses
  since: number; // since when it works; 0 in a pause and before it works
  progress: { answers?: number | string };
  timer: ReturnType<typeof setInterval> | undefined;
}

type Tell = (told: { tag: string; event: string; data: unknown }) => void;

export class Desk {
  private readonly pool = new Pool();
  private readonly jobs = new Map<string, Job>();
  private readonly queue: Job[] = [];
  private first: Promise<void> | null = null; // once a worker could be started

  constructor(private readonly tell: Tell) {}

  get anyIdle(): boolean {
    return this.pool.anyIdle;
  }

  /** Resolves once a question can be answered. */
  ready(): Promise<void> {
    this.pool.spare ||= 1;
    this.first ??= this.pool.take().then((worker) => this.pool.put(worker));
    this.first.catch(() => (this.first = null));
    return this.first;
  }

  /** From now on, some workers wait for questions. */
  warm(): void {
    this.pool.spare = READY;
    this.pool.warm();
  }

  /** Begin a question; the page hears its events under its tag. */
  ask(raw: string, asked: Asked, opening: Opening | null): { id: string; status: number } {
    for (const job of [...this.jobs.values()])
      if (job.id === asked.replaces || (LIVE.includes(asked.kind) && job.asked.kind === asked.kind)) this.drop(job);
    const job: Job = { id: crypto.randomUUID(), asked, raw, worker: null, paused: false, done: false, spent: 0, since: 0, progress: {}, timer: undefined };
    const known = openingPicture(opening, asked);
    if (known) setTimeout(() => known.forEach((told) => this.tellOf(job, told)), 0);
    else {
      this.jobs.set(job.id, job);
      this.queue.push(job);
      void this.next();
    }
    return { id: job.id, status: 200 };
  }

  more(id: string, number: number): void {
    const job = this.jobs.get(id);
    if (!job?.worker) return;
    this.clock(job, true);
    job.worker.send({ kind: "more", number });
  }

  /** The page wants no more: what waits tells how far it came, and what works is ended at once. */
  stop(id: string): void {
    const job = this.jobs.get(id);
    if (!job) return;
    if (job.paused && job.worker) return job.worker.send({ kind: "stop" });
    const { answers } = job.progress;
    const words = job.asked.kind === "count" && answers ? `at least ${grouped(answers)} answer${Number(answers) === 1 ? "" : "s"}: stopped` : "stopped";
    this.kill(job, "stopped", words);
  }

  // --- from its start to its end ---

  private get running(): number {
    return [...this.jobs.values()].filter((job) => job.since).length; // those that wait for the page do not count
  }

  private async next(): Promise<void> {
    if (!this.queue.length || this.running >= MOST) return;
    const job = this.queue.shift()!;
    job.since = performance.now();
    let worker: PythonWorker;
    try {
      worker = await this.pool.take();
    } catch (fault) {
      return this.ended(job, { status: "failed", words: `covr could not be loaded: ${(fault as Error).message}` });
    }
    if (job.done) return this.pool.put(worker); // dropped meanwhile
    job.worker = worker;
    job.since = performance.now();
    worker.onEvent = (text) => this.heard(job, JSON.parse(text) as Told);
    worker.onBroken = (words) => this.broken(job, words);
    job.timer = setInterval(() => this.watch(job), 100);
    const said = JSON.parse(await worker.call("ask", "", job.raw)) as { error?: string };
    if (said.error) this.ended(job, { status: "failed", words: said.error });
  }

  private heard(job: Job, told: Told): void {
    if (job.done) return;
    if (told.event === "progress") job.progress = told.data as Job["progress"];
    if (told.event === "pause") this.clock(job, false);
    this.tellOf(job, told);
    if (told.event === "end") this.ended(job, null);
  }

  private tellOf(job: Job, { event, data }: Told): void {
    if (job.asked.tag) this.tell({ tag: job.asked.tag, event, data });
  }

  /** A job is over. end: what is still to be told. Its worker answers others, unless it was ended. */
  private ended(job: Job, end: { status: string; words: string } | null): void {
    if (job.done) return;
    this.forget(job);
    if (end) this.tellOf(job, { event: "end", data: { figures: {}, ...end } });
    const { worker } = job;
    if (worker && !worker.ended) worker.onIdle = () => this.pool.put(worker);
    void this.next();
  }

  private forget(job: Job): void {
    job.done = true;
    clearInterval(job.timer);
    this.jobs.delete(job.id);
    const at = this.queue.indexOf(job);
    if (at >= 0) this.queue.splice(at, 1);
  }

  private kill(job: Job, status: string, words: string): void {
    job.worker?.end();
    this.ended(job, { status, words });
    this.pool.warm();
  }

  private broken(job: Job, words: string): void {
    const deep = /call stack|recursion/i.test(words);
    const full = /memory|allocation/i.test(words);
    const said = deep ? "the model nests too deeply" : full ? "there is not enough memory for this model" : `the worker of this question failed: ${words}`;
    this.ended(job, { status: full ? "limit" : "failed", words: said });
    this.pool.warm();
  }

  /** Nobody hears it any more. Its worker is spared if it comes to an end by itself soon. */
  private drop(job: Job): void {
    this.forget(job);
    const { worker } = job;
    if (worker?.ended === false) {
      const late = setTimeout(() => (worker.end(), this.pool.warm(), void this.next()), job.paused ? 0 : GRACE);
      worker.onEvent = () => undefined;
      worker.onBroken = () => (clearTimeout(late), this.pool.warm());
      worker.onIdle = () => (clearTimeout(late), this.pool.put(worker), void this.next());
    }
    void this.next();
  }

  private clock(job: Job, runs: boolean): void {
    const now = performance.now();
    if (job.since) job.spent += (now - job.since) / 1000;
    job.since = runs ? now : 0;
    job.paused = !runs;
  }

  private watch(job: Job): void {
    const asked = job.asked.options?.seconds;
    const most = LIVE.includes(job.asked.kind) ? LIVE_SECONDS : SECONDS;
    const seconds = typeof asked === "number" && asked > 0 ? Math.min(asked, most) : most;
    const spent = job.spent + (job.since ? (performance.now() - job.since) / 1000 : 0);
    if (spent > seconds + OVER) this.kill(job, "limit", `stopped after ${seconds} s`);
  }
}
