// A worker that all tabs of a browser share: it holds one line to the server, and hands out what comes on it.
//
// A tab joins, and holds a lock with its name for as long as it lives: when the lock is free, the tab is gone, however it
// ended. Which tabs are on the line is told to the server as a whole list. When the line breaks, every tab is told so;
// whoever tries again first opens the next one.

export type ToLine = { kind: "join"; page: string } | { kind: "leave"; page: string };
export interface Told {
  tag: string;
  event: string;
  data: unknown;
}
export type FromLine = { kind: "joined" } | { kind: "alive" } | { kind: "lost"; words?: string } | { kind: "told"; told: Told };
interface Held {
  pages: string[]; // that are on the line
  refused: string[]; // for which there is no room
}

const SILENCE = 20_000; // milliseconds without a ping after which the line is taken for dead
const FULL = "Too many tabs of the studio are open: close some, and this one goes on.";

const tabs = new Map<string, MessagePort>();
const watched = new Set<string>(); // pages whose locks are waited for
let stream: EventSource | null = null;
let name = "";
let up = false; // whether the server has answered on this line
let telling = false; // a list is under way
let silence: ReturnType<typeof setTimeout> | undefined;

addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0]!;
  port.onmessage = ({ data }: MessageEvent<ToLine>) => (data.kind === "join" ? join(data.page, port) : leave(data.page));
});

function join(page: string, port: MessagePort): void {
  tabs.set(page, port);
  say(page, { kind: "joined" });
  if (!watched.has(page)) {
    watched.add(page);
    const gone = () => (watched.delete(page), leave(page));
    navigator.locks.request(page, gone).catch(gone);
  }
  if (!stream) open();
  else if (up) void tellPages();
}

function leave(page: string): void {
  if (!tabs.delete(page)) return;
  if (!tabs.size) close();
  else if (up) void tellPages();
}

function open(): void {
  name = crypto.randomUUID();
  stream = new EventSource(`/api/line/${name}?pages=${[...tabs.keys()].join(",")}`);
  alarm();
  const own = stream;
  own.onerror = () => own === stream && lost();
  const on = (kind: string, act: (data: string) => void) =>
    own.addEventListener(kind, (event) => own === stream && act((event as MessageEvent<string>).data));
  on("ping", (data) => {
    up = true;
    alarm();
    hear(JSON.parse(data) as Held);
  });
  on("gone", lost);
  on("job", (data) => {
    const told = JSON.parse(data) as Told & { page: string };
    say(told.page, { kind: "told", told });
  });
}

function alarm(): void {
  clearTimeout(silence);
  silence = setTimeout(lost, SILENCE);
}

/** Tell the server which tabs are there; one list at a time, and always one after the last change. */
async function tellPages(): Promise<void> {
  if (telling) return;
  telling = true;
  try {
    for (let told = ""; stream && told !== list(); ) {
      told = list();
      const to = name;
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ pages: [...tabs.keys()] }) };
      const reply = await fetch(`/api/line/${to}`, init).catch(() => null);
      if (to !== name) told = ""; // another line was opened meanwhile
      else if (reply?.ok) hear((await reply.json()) as Held, told === list());
      else if (reply?.status === 429) await new Promise((go) => setTimeout(go, 500)).then(() => (told = ""));
      else return lost();
    }
  } finally {
    telling = false;
  }
}

function list(): string {
  return `${name} ${[...tabs.keys()].sort().join()}`;
}

/** What the server says of its pages. If these are not the tabs that are there, it is told. */
function hear({ pages, refused }: Held, newest = true): void {
  for (const page of pages) say(page, { kind: "alive" });
  for (const page of refused) {
    say(page, { kind: "lost", words: FULL });
    tabs.delete(page);
  }
  const there = new Set(pages);
  if (newest && (there.size !== tabs.size || [...tabs.keys()].some((page) => !there.has(page)))) void tellPages();
}

function say(page: string, message: FromLine): void {
  tabs.get(page)?.postMessage(message);
}

function close(): void {
  stream?.close();
  stream = null;
  up = false;
  name = "";
  clearTimeout(silence);
}

function lost(): void {
  close();
  const all = [...tabs.keys()];
  for (const page of all) say(page, { kind: "lost" });
  tabs.clear();
}
