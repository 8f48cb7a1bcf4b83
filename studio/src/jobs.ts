// A question to the engine: posted, heard as a stream of events, stopped when asked or replaced.

import { PAGE, post } from "./wire.ts";
import type { Data, End, Fault, JobEvents } from "./types.ts";

export type Heard = { [K in keyof JobEvents]?: (event: JobEvents[K]) => void };

export interface Question {
  kind: string;
  name: string;
  text: string;
  data: Data;
  options: Record<string, unknown>;
}

const NAMES = [
  "progress", "picture", "answer", "better", "pause", "params", "size", "candidates", "why", "hint", "matrix", "places", "root", "steps",
  "verdict", "note", "fault", "end",
] as const; // prettier-ignore

/** One place in which at most one question is asked: a new one replaces the last, whose events are heard no more. */
export class Slot {
  private id: string | null = null;
  private stream: EventSource | null = null;
  private turn = 0;
  private asking = false; // posted, and not answered yet
  private stopped = false; // stopped before its id was known

  /** Hear whenever a question begins or ends here. */
  onBusy: () => void = () => undefined;

  get busy(): boolean {
    return this.asking || this.stream !== null;
  }

  /** Ask. What the question before says from now on is dropped. */
  async ask(question: Question, heard: Heard): Promise<void> {
    const turn = ++this.turn;
    const replaces = this.id;
    this.hangUp();
    this.id = null;
    this.asking = true;
    this.stopped = false;
    this.onBusy();
    const end = (status: string, words: string) => {
      if (turn !== this.turn) return;
      this.asking = false;
      this.hangUp();
      heard.end?.({ status, words });
    };
    let reply: { id?: string; faults?: Fault[] };
    try {
      reply = await post("/api/jobs", { page: PAGE, replaces, ...question });
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
    this.listen(reply.id, turn, heard, end);
    if (this.stopped) this.stop();
  }

  private listen(id: string, turn: number, heard: Heard, end: (status: string, words: string) => void): void {
    const stream = new EventSource(`/api/jobs/${id}/events`);
    this.stream = stream;
    this.onBusy();
    for (const name of NAMES)
      stream.addEventListener(name, (event) => {
        if (turn !== this.turn || stream !== this.stream) return;
        const value = JSON.parse((event as MessageEvent<string>).data) as never;
        if (name === "end") this.hangUp();
        (heard[name] as ((value: never) => void) | undefined)?.(value);
      });
    // An EventSource would connect again by itself, but a job whose stream broke is gone.
    stream.onerror = () => end("lost", "the connection to the server was lost");
  }

  /** Let a listing that waits go on by some answers. */
  more(number: number): void {
    if (this.id) void post(`/api/jobs/${this.id}/more`, { number }).catch(() => undefined);
  }

  /** Stop the question; its `end` is still heard. */
  stop(): void {
    this.stopped = this.asking;
    if (this.id && this.stream) void post(`/api/jobs/${this.id}/stop`, {}).catch(() => undefined);
  }

  /** Stop the question and hear nothing more of it. */
  drop(): void {
    this.stop();
    this.turn++; // an answer to what is under way finds another turn, and ends the question
    this.asking = false;
    this.hangUp();
  }

  private hangUp(): void {
    this.stream?.close();
    this.stream = null;
    this.onBusy();
  }
}

export function failed(end: End): boolean {
  return end.status === "failed" || end.status === "lost";
}
