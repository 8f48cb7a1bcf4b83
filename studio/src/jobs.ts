// A question to the engine: posted, heard as a stream of events, stopped when asked or replaced.

import { hear } from "./connection.ts";
import { PAGE, post, Refused } from "./wire.ts";
import type { Data, End, Fault, JobEvents } from "./types.ts";

const LIVE = ["puzzle", "candidates", "hand"]; // asked at each keystroke
const BUSY = 500; // milliseconds after which a question that was refused is asked again
const PATIENCE = 20; // times that it is asked again

export type Heard = { [K in keyof JobEvents]?: (event: JobEvents[K]) => void };

export interface Question {
  kind: string;
  name: string;
  text: string;
  data: Data;
  options: Record<string, unknown>;
}

/** One place in which at most one question is asked: a new one replaces the last, whose events are heard no more. */
export class Slot {
  private id: string | null = null;
  private tag: string | null = null; // under which its events are heard
  private turn = 0;
  private asking = false; // posted, and not answered yet
  private stopped = false; // stopped before its id was known
  private owed = 0; // answers that were asked for before its id was known
  private waits = false; // until more is wanted

  /** Hear whenever a question begins or ends here. */
  onBusy: () => void = () => undefined;

  get busy(): boolean {
    return this.asking || this.tag !== null;
  }

  /** Whether the question works, and does not wait until more is wanted. */
  get working(): boolean {
    return this.busy && !this.waits;
  }

  /** Ask. What the question before says from now on is dropped. */
  async ask(question: Question, heard: Heard): Promise<void> {
    const turn = ++this.turn;
    const replaces = this.id;
    this.hangUp();
    this.id = null;
    this.asking = true;
    this.stopped = false;
    this.owed = 0;
    this.waits = false;
    this.onBusy();
    const end = (status: string, words: string) => {
      if (turn !== this.turn) return;
      this.asking = false;
      this.hangUp();
      heard.end?.({ status, words });
    };
    const tag = this.listen(turn, heard, end);
    let reply: { id?: string; faults?: Fault[] };
    try {
      reply = await this.post({ page: PAGE, replaces, tag, ...question }, turn);
    } catch (fault) {
      return end("failed", (fault as Error).message);
    }
    if (turn !== this.turn) {
      if (reply.id) void post(`/api/jobs/${reply.id}/stop`, {}).catch(() => undefined);
      return;
    }
    if (!reply.id) {
      heard.fault?.({ faults: reply.faults ?? [] });
      return end("faulty", "");
    }
    this.id = reply.id;
    this.asking = false;
    this.onBusy();
    if (this.owed) this.more(this.owed);
    if (this.stopped) this.stop();
  }

  /** Ask the server. What is asked by itself, at each edit, waits while too much is being answered: many tabs may open at
   *  the same time. */
  private async post(body: Question & Record<string, unknown>, turn: number): Promise<{ id?: string; faults?: Fault[] }> {
    for (let left = LIVE.includes(body.kind) ? PATIENCE : 0; ; left--) {
      try {
        return await post("/api/jobs", body);
      } catch (fault) {
        if (!left || !(fault instanceof Refused) || fault.status !== 429 || turn !== this.turn) throw fault;
        await new Promise((go) => setTimeout(go, BUSY));
      }
    }
  }

  /** Hear the events of a question that is about to be asked: they may come before its id. Its tag. */
  private listen(turn: number, heard: Heard, end: (status: string, words: string) => void): string {
    const tag = crypto.randomUUID();
    this.tag = tag;
    hear(tag, (name, data) => {
      if (turn !== this.turn || tag !== this.tag) return;
      if (name === "lost") return end("lost", "the connection to the server was lost");
      if (name === "end") this.hangUp();
      if (name === "pause") this.rest(true);
      (heard[name as keyof Heard] as ((value: never) => void) | undefined)?.(data as never);
    });
    return tag;
  }

  /** Let a listing that waits go on by some answers. */
  more(number: number): void {
    this.rest(false);
    if (this.id) void post(`/api/jobs/${this.id}/more`, { number }).catch(() => undefined);
    else if (this.asking) this.owed += number;
  }

  /** Stop the question; its `end` is still heard. */
  stop(): void {
    this.stopped = this.asking;
    if (this.id && this.tag) void post(`/api/jobs/${this.id}/stop`, {}).catch(() => undefined);
  }

  /** Stop the question and hear nothing more of it. */
  drop(): void {
    const id = this.tag && this.id;
    this.turn++; // an answer to what is under way finds another turn, and ends the question
    this.asking = false;
    this.hangUp();
    if (id) void post(`/api/jobs/${id}/stop`, {}).catch(() => undefined); // whose end may be told at once, where there is no server
  }

  private rest(waits: boolean): void {
    this.waits = waits;
    this.onBusy();
  }

  private hangUp(): void {
    if (this.tag) hear(this.tag, null);
    this.tag = null;
    this.onBusy();
  }
}

export function failed(end: End): boolean {
  return end.status === "failed" || end.status === "lost";
}
