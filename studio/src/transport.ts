// How the page reaches what answers it: a server on this machine (server.ts), or workers in this browser
// (playground/host.ts). Both speak the same words: requests with addresses and JSON, and events.

/** What hears the events: that it is there; that it is gone; what a question tells. */
export interface Hearer {
  alive(): void;
  lost(words?: string): void; // words: why, if it is not that the server is away
  told(told: { tag: string; event: string; data: unknown }): void;
}

export interface Transport {
  /** As `fetch` does; rejects if nobody answers. */
  request(path: string, init: RequestInit): Promise<Response>;
  /** Hear the events for a page; the result ends it. */
  listen(page: string, hearer: Hearer): () => void;
  /** The address of the picture of a model of the gallery. */
  thumb(name: string, theme: string): string;
  /** Whether there is a folder whose files are read and written. */
  folder: boolean;
  /** As what pictures are saved. */
  formats: string[];
}

export let transport: Transport;

/** Reach it in this way; before the page begins. */
export function reachBy(way: Transport): void {
  transport = way;
}
