// A worker that runs Python with covr in it. It is told a question, and tells the page its events; it hears nothing while
// it works.

import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { loadPyodide } from "pyodide";

export type ToWorker =
  | { kind: "begin"; python: WebAssembly.Module; library: ArrayBuffer; most: number }
  | { kind: "about"; id: number; name: string; raw: string }
  | { kind: "ask"; id: number; raw: string }
  | { kind: "more"; number: number }
  | { kind: "stop" };
export type FromWorker =
  | { kind: "ready" }
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

const tell = (message: FromWorker) => postMessage(message);
let studio: PageStudio | null = null;
let memory: WebAssembly.Memory | null = null;

addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === "begin") return void begin(message).catch(broken);
  try {
    if (message.kind === "about") tell({ kind: "answer", id: message.id, text: studio!.about(message.name, message.raw) });
    else if (message.kind === "ask") tell({ kind: "answer", id: message.id, text: studio!.ask(message.raw) });
    else if (message.kind === "more") studio!.more(message.number);
    else studio!.stop();
    tell({ kind: "idle", bytes: memory?.buffer.byteLength ?? 0 });
  } catch (fault) {
    broken(fault);
  }
});

function broken(fault: unknown): void {
  tell({ kind: "broken", words: String((fault as Error)?.message ?? fault).trim().split("\n").at(-1)!.slice(0, 300) });
}

const HERE = "https://covr.invalid/"; // where Pyodide thinks that its files are: none is fetched from there

async function begin({ python, library, most }: Extract<ToWorker, { kind: "begin" }>): Promise<void> {
  const { files, stdlib, archive } = opened(library);
  // Pyodide asks for its two files in these ways.
  globalThis.fetch = async (asked) => {
    if (String(asked).endsWith(".zip")) return new Response(stdlib);
    if (String(asked).endsWith(".wasm")) return new Response("");
    throw new TypeError("nothing is fetched here");
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: python, instance: await WebAssembly.instantiate(python, imports) });
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    memory = this;
    if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError("the limit of memory is reached");
    return grow.call(this, pages);
  };
  const pyodide = await loadPyodide({
    createPyodideModule,
    indexURL: HERE,
    stdLibURL: `${HERE}library.zip`,
    lockFileContents: { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "" }, packages: {} } as never,
    env: { HOME: "/home/covr", PYTHONHASHSEED: "0", XDG_CACHE_HOME: "/covr/cache" },
    fsInit: async (FS: any) => {
      for (const folder of files.folders) FS.mkdirTree(`/covr/${folder}`);
      for (const [name, start, end] of files.files) FS.writeFile(`/covr/${name}`, archive.subarray(start, end), { canOwn: true, mode: 0o644 });
    },
  } as never);
  memory = (pyodide as any)._module.wasmMemory ?? memory;
  pyodide.runPython("import sys; sys.path.insert(0, '/covr')");
  studio = pyodide.runPython("from covr.studio.in_page import PageStudio; from covr.studio.work.kinds import warm; PageStudio")(
    (text: string) => tell({ kind: "event", text }),
  ) as PageStudio;
  pyodide.runPython("warm()");
  tell({ kind: "ready" });
}

interface Contents {
  folders: string[];
  files: [name: string, start: number, end: number][];
}

/** The library's file: the length of its table of contents, the table as JSON, Python's own library, and all files of
 *  covr one after the other. */
function opened(library: ArrayBuffer): { files: Contents; stdlib: Uint8Array<ArrayBuffer>; archive: Uint8Array } {
  const length = new DataView(library).getUint32(0, true);
  const table = JSON.parse(new TextDecoder().decode(new Uint8Array(library, 4, length))) as Contents & { stdlib: number };
  const begin = 4 + length;
  return { files: table, stdlib: new Uint8Array(library, begin, table.stdlib), archive: new Uint8Array(library, begin + table.stdlib) };
}
