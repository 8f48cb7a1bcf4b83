// How the page reaches what answers it: a server on this machine, or workers in this browser (playground/host.ts). Both
// speak the same words: requests with addresses and JSON, and events.

/** What hears the events: that it is there; that it is gone; what a question tells. */
export interface Hearer {
  alive(): void;
  lost(): void;
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

/** The server that the page came from. No other address is ever asked. */
export const server: Transport = {
  request: (path, init) => fetch(path, { credentials: "same-origin", ...init }),
  listen(page, hearer) {
    const stream = new EventSource(`/api/page/${page}`);
    let open = true;
    const heard = (act: () => void) => () => open && act();
    stream.onopen = heard(() => hearer.alive());
    stream.onerror = heard(() => hearer.lost());
    stream.addEventListener("ping", heard(() => hearer.alive()));
    stream.addEventListener("gone", heard(() => hearer.lost()));
    stream.addEventListener("job", (event) => open && hearer.told(JSON.parse((event as MessageEvent<string>).data)));
    return () => {
      open = false;
      stream.close();
    };
  },
  thumb: (name, theme) => `/api/gallery/${encodeURIComponent(name)}.svg?theme=${theme}`,
  folder: true,
  formats: ["svg", "png", "pdf"],
};

export let transport = server;

/** Reach it in another way; before the page begins. */
export function reachBy(other: Transport): void {
  transport = other;
}
