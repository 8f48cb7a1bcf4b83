// A worker that runs Python with covr in it. It is told a question, and tells the page its events; it hears nothing while
// it works.
//
// The first worker of a page fetches Python and what the first question needs, starts it, and gives its memory to the
// others, which go on from there. Modules that the first question does not need come later. Kernels are loaded before Python
// starts, always the same in the same order: memory refers to them by their places. HiGHS and clingo come when a question
// needs them.
// A question that needs what is not here yet is asked again once it has come; what it had told before is not told again.

import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide";
import { opened as openedStore, snapshotName, type Source, unpacked } from "./packages.ts";

/** What other workers take over from the first. */
export interface Memory {
  python: WebAssembly.Module;
  snapshot: ArrayBuffer;
  first: ArrayBuffer; // the package of what the first question needs
  kernels: WebAssembly.Module[];
}

/** Where Python is, and the package of what the first question needs. */
export interface Files {
  python: string;
  first: string;
}

/** Where a solver is: its script, and packed what it runs. */
export interface Solver {
  script: string;
  wasm: string;
}
export type Solvers = Record<"highs" | "clingo", Solver>;

export type ToWorker =
  | { kind: "begin"; most: number; from: (Memory & { rest: ArrayBuffer }) | null; source: Source; files: Files; solvers: Solvers }
  | { kind: "rest"; rest: ArrayBuffer }
  | { kind: "about"; id: number; name: string; raw: string }
  | { kind: "ask"; id: number; raw: string }
  | { kind: "more"; number: number }
  | { kind: "stop" };
export type FromWorker =
  | { kind: "came"; bytes: number }
  | { kind: "ready"; times: Record<string, number>; memory: Memory | null }
  | { kind: "answer"; id: number; text: string }
  | { kind: "event"; text: string }
  | { kind: "idle"; bytes: number } // nothing is worked on until the page says more
  | { kind: "broken"; words: string };

interface PageStudio {
  about(name: string, raw: string): string;
  ask(raw: string): string;
  more(number: number): void;
  stop(): void;
}

const tell = (message: FromWorker, given: Transferable[] = []) => postMessage(message, { transfer: given });
let studio: PageStudio | null = null;
let memory: WebAssembly.Memory | null = null;
let waiting: { end(): void } | null = null; // for the modules that are not here yet
let fs: any = null;
let question: Message[] = []; // what the page has said of the question that is worked on
let again: Message[][] = []; // what is asked again once more is here
let told = 0; // events of the question, without those that say how far it is
let known = 0; // how many of them were told before it was begun anew
let fetchSolver: (name: keyof Solvers) => Promise<void>;

addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === "begin") return void begin(message).catch(broken);
  if (message.kind === "rest") return addRest(message.rest);
  if (message.kind === "about") return handle([message]);
  if (message.kind === "ask") [question, known] = [[], 0];
  question.push(message);
  if (!again.includes(question)) handle(question, [message]);
});

type Message = Exclude<ToWorker, { kind: "begin" | "rest" }>;

/** Do what the page says. whole: what is done anew if something for it is not here. */
function handle(whole: Message[], messages = whole): void {
  try {
    for (const message of [...messages]) {
      if (message.kind === "about") tell({ kind: "answer", id: message.id, text: studio!.about(message.name, message.raw) });
      else if (message.kind === "ask") {
        told = 0;
        tell({ kind: "answer", id: message.id, text: studio!.ask(message.raw) });
      } else if (message.kind === "more") studio!.more(message.number);
      else studio!.stop();
    }
    tell({ kind: "idle", bytes: memory?.buffer.byteLength ?? 0 });
  } catch (fault) {
    if ((fault as { type?: string }).type !== "NotHere") return broken(fault);
    known = Math.max(known, told); // a question tells the same again when it is asked again
    again.push(whole);
    const solver = /: npm_(\w+)\s*$/.exec((fault as Error).message)?.[1];
    if (solver) void fetchSolver(solver as keyof Solvers).then(retry);
  }
}

/** Ask again what was left for what has come since. */
function retry(): void {
  for (const one of again.splice(0)) handle(one);
}

function event(text: string): void {
  const counts = !text.startsWith('{"event": "progress"');
  if (counts && ++told <= known) return;
  tell({ kind: "event", text });
}

function broken(fault: unknown): void {
  tell({ kind: "broken", words: String((fault as Error)?.message ?? fault).trim().split("\n").at(-1)!.slice(0, 300) });
}

const HERE = "https://covr.invalid/"; // where Pyodide thinks that its files are: none is fetched from there

/** What Python starts from: compiled while it comes in, with the first package, and the memory of an earlier visit if the
 *  browser has kept it. */
async function fetched(source: Source, files: Files): Promise<{ python: WebAssembly.Module; first: ArrayBuffer; snapshot: ArrayBuffer | null }> {
  const came = (bytes: number) => tell({ kind: "came", bytes });
  const found = openedStore(source.store)
    .then((store) => store?.match(snapshotName(source)))
    .then((kept) => kept?.arrayBuffer())
    .catch(() => undefined);
  const [python, first] = await Promise.all([
    unpacked(source, files.python, "application/wasm", came).then((response) => WebAssembly.compileStreaming(response)),
    unpacked(source, files.first, "application/octet-stream", came).then((response) => response.arrayBuffer()),
  ]);
  return { python, first, snapshot: (await found) ?? null };
}

async function begin({ most, from, source, files: paths, solvers }: Extract<ToWorker, { kind: "begin" }>): Promise<void> {
  const times: Record<string, number> = { begun: performance.now() };
  const { python, first: raw, snapshot } = from ?? (await fetched(source, paths));
  const { files, stdlib, archive } = opened(raw);
  times.fetched = performance.now();
  times.restored = Number(snapshot !== null);
  // Pyodide asks for its two files in these ways.
  const { fetch } = globalThis;
  const { instantiateStreaming } = WebAssembly;
  globalThis.fetch = async (asked) => {
    if (String(asked).endsWith(".zip")) return new Response(stdlib);
    if (String(asked).endsWith(".wasm")) return new Response("");
    throw new TypeError("nothing is fetched here");
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: python, instance: await WebAssembly.instantiate(python, imports) });
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    memory ??= this;
    if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError("the limit of memory is reached");
    return grow.call(this, pages);
  };
  const kernels = from?.kernels ?? [];
  let made: any;
  const pyodide = await loadPyodide({
    createPyodideModule: async (settings: any) => {
      made = settings;
      const module = await createPyodideModule(settings);
      if (snapshot) module._free(module._malloc(snapshot.byteLength)); // so that there is room for it
      return module;
    },
    indexURL: HERE,
    stdLibURL: `${HERE}library.zip`,
    lockFileContents: { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "" }, packages: {} } as never,
    env: { HOME: "/home/covr", PYTHONHASHSEED: "0", XDG_CACHE_HOME: "/covr/cache" },
    fsInit: async (FS: any) => {
      fs = FS;
      write(files, archive);
      // What is listed in folders is listed once: what comes later is there, and empty, from the beginning.
      for (const name of files.later!) {
        FS.mkdirTree(`/covr/${name.replace(/[^/]*$/, "")}`);
        FS.writeFile(`/covr/${name}`, "");
      }
      files.kernels!.forEach((name, at) => {
        kernels[at] ??= new WebAssembly.Module(FS.readFile(`/covr/${name}`));
        const loaded = made.newDSO(`/covr/${name}`, undefined, "loading");
        loaded.global = false;
        loaded.exports = made.loadWebAssemblyModule(kernels[at], { loadAsync: false, global: false, nodelete: true, allowUndefined: true }, `/covr/${name}`, {}, 0);
      });
    },
    ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }),
  } as never);
  globalThis.fetch = fetch;
  WebAssembly.instantiateStreaming = instantiateStreaming;
  memory = (pyodide as any)._module.wasmMemory ?? memory;
  times.python = performance.now();
  pyodide.runPython("import sys; '/covr' in sys.path or sys.path.insert(0, '/covr'); from covr.studio.in_page import warm");
  times.imported = performance.now();
  pyodide.runPython("warm()");
  times.warm = performance.now();
  const image = from ? null : (snapshot ?? (pyodide as any).makeMemorySnapshot().buffer);
  times.snapshot = performance.now();
  studio = pyodide.runPython("from covr.studio.in_page import PageStudio; PageStudio")(event) as PageStudio;
  const missing = (modules: string[]) => pyodide.runPython("from covr.studio.in_page import MissingModules; MissingModules")(pyodide.toPy(modules)) as { end(): void };
  const names = Object.keys(solvers) as (keyof Solvers)[];
  const awaited = Object.fromEntries(names.map((name) => [name, missing([`npm_${name}`])]));
  const coming: Partial<Record<keyof Solvers, Promise<void>>> = {};
  // Where it can't be fetched, as without network, nobody finds it, and covr's own search goes on alone.
  fetchSolver = (name) =>
    (coming[name] ??= solverOf(source, solvers[name])
      .then((found) => pyodide.registerJsModule(`npm_${name}`, found))
      .catch(() => undefined)
      .then(() => awaited[name]!.end()));
  if (from) addRest(from.rest);
  else waiting = missing(files.later!.map((name) => name.replace(/(\/__init__)?\.(pyc|abi3\.so)$/, "").replaceAll("/", ".")));
  const copy = from ? null : raw.slice(0); // the files that Python has lie in the other one
  if (copy) tell({ kind: "ready", times, memory: { python, snapshot: image, first: copy, kernels } }, [image, copy]);
  else tell({ kind: "ready", times, memory: null });
}

/** A solver, started. */
async function solverOf(source: Source, { script, wasm }: Solver): Promise<object> {
  const packed = unpacked(source, wasm, "application/wasm").then((response) => WebAssembly.compileStreaming(response));
  const [{ default: load }, module] = await Promise.all([import(new URL(script, source.page).href), packed]);
  const instantiateWasm = (imports: WebAssembly.Imports, done: (made: WebAssembly.Instance) => void) => void WebAssembly.instantiate(module, imports).then(done);
  return load({ instantiateWasm });
}

/** The modules that the first question does not need are here. */
function addRest(rest: ArrayBuffer): void {
  const { files, archive } = opened(rest);
  write(files, archive);
  waiting?.end();
  waiting = null;
  retry();
}

function write({ folders, files }: Contents, archive: Uint8Array): void {
  for (const folder of folders) fs.mkdirTree(`/covr/${folder}`);
  for (const [name, start, end] of files) fs.writeFile(`/covr/${name}`, archive.subarray(start, end), { canOwn: true, mode: 0o644 });
}

interface Contents {
  folders: string[];
  files: [name: string, start: number, end: number][];
  kernels?: string[]; // of the first package: those that are loaded before Python starts
  later?: string[]; // of the first package: the files of modules that come later
}

/** A package: the length of its table of contents, the table as JSON, Python's own library, and all files of covr one after
 *  the other. */
function opened(raw: ArrayBuffer): { files: Contents; stdlib: Uint8Array<ArrayBuffer>; archive: Uint8Array } {
  const length = new DataView(raw).getUint32(0, true);
  const table = JSON.parse(new TextDecoder().decode(new Uint8Array(raw, 4, length))) as Contents & { stdlib: number };
  const begin = 4 + length;
  return { files: table, stdlib: new Uint8Array(raw, begin, table.stdlib), archive: new Uint8Array(raw, begin + table.stdlib) };
}
