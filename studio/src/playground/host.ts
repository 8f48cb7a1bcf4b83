// What answers the page where there is no server: workers in this browser. Requests and events are those of the server
// (covr/studio/app.py), and the same Python answers them (covr/studio/in_page.py).

import type { Hearer, Transport } from "../transport.ts";
import { Desk } from "./desk.ts";
import { type Opening, openingAnalysis } from "./opening.ts";
import { type PythonWorker, start } from "./pool.ts";
import { kept } from "./runtime.ts";

const NO_FOLDER = "the page has no folder: open and save files of your own instead";
const SCALE = 2; // pixels of a PNG for a pixel of the picture

export class Host implements Transport {
  folder = false;
  formats = ["svg", "png"];
  private hearer: Hearer | null = null;
  private texts: Promise<PythonWorker> | null = null;
  private textsReady = false;
  private newest = 0; // the version of the text that was analysed last
  private readonly desk = new Desk((told) => this.hearer?.told(told));

  constructor(private readonly opening: Promise<Opening>) {}

  /** Load what is not there yet; resolves once questions can be answered. */
  ready(): Promise<void> {
    return this.desk.ready();
  }

  /** Start the other workers, so that no question waits for one. */
  async warm(): Promise<void> {
    await this.text();
    this.desk.warm();
  }

  thumb = (name: string, theme: string) => `gallery/${encodeURIComponent(name)}.${theme}.svg`;

  listen(_: string, hearer: Hearer): () => void {
    this.hearer = hearer;
    const beat = setInterval(() => hearer.alive(), 5000); // milliseconds: there is nothing that could go away
    queueMicrotask(() => hearer.alive());
    return () => clearInterval(beat);
  }

  async request(path: string, init: RequestInit): Promise<Response> {
    const { pathname } = new URL(path, "http://page");
    const [, first, second, third] = pathname.slice(1).split("/").map(decodeURIComponent);
    const raw = typeof init.body === "string" ? init.body : "{}";
    if (first === "start") return json((await this.opening).start);
    if (first === "gallery") return this.gallery(second);
    if (first === "fresh" && init.method !== "POST") return json((await (await kept("gallery.json")).json()).fresh);
    if (first === "files" || first === "file") return refused(NO_FOLDER, 403);
    if (first === "picture") return picture(JSON.parse(raw));
    if (first !== "jobs") return this.about(first!, raw);
    if (!second) return this.ask(raw);
    if (third === "stop") this.desk.stop(second);
    else this.desk.more(second, (JSON.parse(raw) as { number: number }).number);
    return json({});
  }

  private async ask(raw: string): Promise<Response> {
    const asked = JSON.parse(raw) as Parameters<Desk["ask"]>[1];
    const opening = this.desk.anyIdle ? null : await this.opening.catch(() => null);
    const { status, ...said } = this.desk.ask(raw, asked, opening);
    return json(said, status);
  }

  /** A question about a text. The last edit wins: an analysis that a later one has overtaken is not begun. */
  private async about(name: string, raw: string): Promise<Response> {
    const { version } = JSON.parse(raw) as { version?: number };
    if (name === "analyse" && version !== undefined) {
      this.newest = version;
      const known = this.textsReady ? null : openingAnalysis(await this.opening.catch(() => null), raw);
      if (known) return json({ ...known, version });
    }
    if (name !== "analyse" && !this.textsReady) await this.desk.ready(); // the first answer comes first
    const worker = await this.text();
    await this.turn();
    if (name === "analyse" && version !== undefined && version < this.newest) return json({ version, stale: true });
    const call = worker.call("about", name, raw);
    this.busy = call;
    const answer = JSON.parse(await Promise.race([call, gone(worker)])) as { error?: string; status?: number };
    return answer?.error !== undefined && answer.status ? refused(answer.error, answer.status) : json(answer);
  }

  private busy: Promise<unknown> = Promise.resolve();

  /** Wait until nothing else is asked about texts. */
  private async turn(): Promise<void> {
    for (let before = this.busy; ; before = this.busy) {
      await before.catch(() => undefined);
      if (before === this.busy) return;
    }
  }

  private text(): Promise<PythonWorker> {
    this.texts ??= start().then(async (worker) => {
      await worker.ready;
      this.textsReady = true;
      worker.onBroken = () => (this.texts = null);
      return worker;
    });
    this.texts.catch(() => (this.texts = null));
    return this.texts;
  }

  private async gallery(name: string | undefined): Promise<Response> {
    const found = await kept("gallery.json");
    if (!name) return json((await found.json()).kinds);
    const text = (await found.json()).texts[name];
    return text === undefined ? refused("the gallery has no such model", 404) : json({ name, text });
  }
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

function refused(error: string, status: number): Response {
  return json({ error }, status);
}

/** Rejects when the worker ends. */
function gone(worker: PythonWorker): Promise<never> {
  return new Promise((_, reject) => {
    const before = worker.onBroken;
    worker.onBroken = (words) => (before(words), reject(new TypeError(words)));
  });
}

/** A picture as PNG, drawn by the browser itself. */
async function picture({ svg, format }: { svg: string; format: string }): Promise<Response> {
  if (format !== "png") return refused("here a picture is saved as SVG or PNG", 400);
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    return blob ? new Response(blob) : refused("this picture is too large for the browser", 413);
  } finally {
    URL.revokeObjectURL(address);
  }
}
