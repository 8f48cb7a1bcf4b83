// Builds the studio without a server: a folder that any server of files can serve, with all of covr in it.
//
//     npm ci --ignore-scripts --prefix studio && pip install -e '.[wasm]' && npm run playground --prefix studio [-- FOLDER]
//
// The folder is build/playground unless it is named. PYTHON names the Python that builds, else it is that of .venv.

import { build } from "esbuild";
import { loadPyodide } from "pyodide";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "..", "..");
const OUT = resolve(process.argv[2] ?? join(ROOT, "build", "playground"));
const own = join(ROOT, ".venv", "bin", "python");
const PYTHON = process.env.PYTHON ?? (existsSync(own) ? own : "python3");
const MOST = 2_125_000; // bytes of a first visit that are covr's own: 1.7 s of a line of 10 Mbit/s
// Bytes of what others publish, as they were in November 2026. They may grow, which is told.
const OTHERS = { Python: 2_641_804, "Python's library": 660_658, "Pyodide's loader": 198_397, "packages of npm": 416_370 };

const scratch = mkdtempSync(join(tmpdir(), "covr-playground-"));
const python = (...words) => execFileSync(PYTHON, words, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
const made = (name) => join(scratch, name);
const said = (words) => console.log(words);

try {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(join(OUT, "runtime"), { recursive: true });

  said("the wheel");
  python(join(ROOT, ".ci", "wasm.py"), made("wheels"));
  said("models and pictures");
  python(join(ROOT, ".ci", "playground.py"), "draw", OUT, made("wheels"));

  said("the library");
  const pyodide = await loadPyodide();
  for (const name of readdirSync(made("wheels")))
    pyodide.unpackArchive(new Uint8Array(readFileSync(join(made("wheels"), name))), "zip", { extractDir: "/wheels" });
  for (const name of ["highspy.py", "clingo.py"]) pyodide.FS.writeFile(`/wheels/${name}`, readFileSync(join(HERE, name)));
  pyodide.runPython(readFileSync(join(HERE, "library.py"), "utf8"));
  const needed = await firstNeeds(pyodide.runPython("whole()").toJs());
  const [first, rest] = pyodide.globals.get("split")(pyodide.toPy(needed)).toJs();
  writeFileSync(made("first"), first);
  writeFileSync(made("rest"), rest);
  const modules = join(HERE, "..", "node_modules");
  writeFileSync(made("python"), readFileSync(join(modules, "pyodide", "pyodide.asm.wasm")));
  writeFileSync(made("highs"), readFileSync(join(modules, "highs", "build", "highs.wasm")));
  writeFileSync(made("clingo"), readFileSync(join(modules, "clingo-wasm", "dist", "clingo.wasm")));

  said("the page");
  const common = {
    absWorkingDir: join(HERE, ".."),
    bundle: true,
    minify: true,
    target: ["es2022"],
    charset: "utf8",
    legalComments: "eof",
    loader: { ".txt": "text" },
    logLevel: "warning",
  };
  const loader = await build({ ...common, entryPoints: ["src/playground/worker.ts"], outfile: made("worker"), format: "esm", platform: "browser", external: ["node:*"], metafile: true });
  const scripts = {};
  for (const name of ["highs", "clingo"]) {
    await build({ ...common, entryPoints: [`src/playground/${name}.ts`], outfile: made("script.js"), format: "esm", platform: "browser", external: ["node:*"] });
    scripts[name] = `runtime/${name}-${hash(readFileSync(made("script.js")))}.js`;
    writeFileSync(join(OUT, scripts[name]), readFileSync(made("script.js")));
  }
  const files = {};
  for (const name of ["python", "first", "rest", "worker", "highs", "clingo"]) {
    python(join(ROOT, ".ci", "playground.py"), "pack", made(name), made(`${name}.xz`));
    const raw = readFileSync(made(`${name}.xz`));
    const path = `runtime/${name}-${hash(raw)}.xz`;
    writeFileSync(join(OUT, path), raw);
    files[name] = { path, bytes: raw.length };
  }
  const page = ["app.js", "app.css", "opening.json", "gallery.json"];
  const options = { ...common, format: "iife", outdir: OUT };
  const numbered = (name) => ({ BUILD: JSON.stringify(name), FILES: JSON.stringify(files), SCRIPTS: JSON.stringify(scripts) });
  // What names the build is the hash of all that it is made of.
  await build({ ...options, entryPoints: { app: "src/playground/app.ts" }, define: numbered("") });
  const name = hash(Buffer.concat([...page.map((path) => readFileSync(join(OUT, path))), ...Object.values(files).map(({ path }) => Buffer.from(path))]));
  const built = await build({ ...options, entryPoints: { app: "src/playground/app.ts" }, define: numbered(name), metafile: true });
  const later = readdirSync(join(OUT, "gallery")).map((file) => `gallery/${file}`);
  const kept = ["./", ...page]; // the rest is kept by the page itself, unpacked (runtime.ts)
  await build({
    ...options,
    entryPoints: { offline: "src/playground/offline.ts" },
    define: { BUILD: JSON.stringify(name), PAGE: JSON.stringify(kept), LATER: JSON.stringify(later) },
  });
  const html = readFileSync(join(HERE, "index.html"), "utf8");
  const opening = JSON.parse(readFileSync(join(OUT, "opening.json"), "utf8"));
  const svg = (theme) => opening.puzzle[theme].find(({ event }) => event === "picture").data.svg;
  writeFileSync(join(OUT, "index.html"), html.replace("%PICTURE%", `data:image/svg+xml,${encodeURIComponent(svg("light"))}`).replace("%TITLE%", opening.start.name));
  const fetched = ["index.html", ...page, ...Object.values(files).map(({ path }) => path)].filter((path) => path !== "gallery.json" && ![files.highs.path, files.clingo.path].includes(path));
  const whole = fetched.reduce((sum, path) => sum + statSync(join(OUT, path)).size, 0);
  const others = {
    Python: files.python.bytes,
    "Python's library": Math.round(files.first.bytes * shareOfOthers(first) + files.rest.bytes * shareOfOthers(rest)),
    "Pyodide's loader": Math.round(files.worker.bytes * npm(loader).share),
    "packages of npm": npm(built).bytes,
  };
  const own = whole - Object.values(others).reduce((sum, bytes) => sum + bytes, 0);
  said(`${whole - files.rest.bytes} bytes before the first answer`);
  said(`${whole} bytes for a first visit, of which ${own} are covr's own (at most ${MOST})`);
  for (const [what, bytes] of Object.entries(others)) said(`${bytes} ${what}${bytes > OTHERS[what] ? `, ${bytes - OTHERS[what]} more than in November 2026` : ""}`);
  if (own > MOST) throw new Error(`covr's own part of a first visit takes ${own} bytes, more than ${MOST}`);
  said(OUT);
} catch (fault) {
  console.error(`error: ${fault.message}`.slice(0, 2000)); // without the line of code, which has a million characters
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(); // Pyodide keeps node alive

/** How much of a bundle comes from npm. */
function npm({ metafile }) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const bytes = (found) => found.reduce((sum, [, input]) => sum + input.bytesInOutput, 0);
  const found = bytes(inputs.filter(([path]) => path.includes("node_modules")));
  return { bytes: found, share: found / bytes(inputs) };
}

/** The parts of a package (library.py, `package`). */
function opened(raw) {
  const length = new DataView(raw.buffer, raw.byteOffset).getUint32(0, true);
  const contents = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + length)));
  const at = 4 + length + contents.stdlib;
  return { ...contents, library: raw.subarray(4 + length, at), files: contents.files.map(([name, start, end]) => [name, raw.subarray(at + start, at + end)]) };
}

/** The modules that the first question takes, in the order in which they are loaded: it is asked. */
async function firstNeeds(whole) {
  const { folders, files, library } = opened(whole);
  writeFileSync(made("library.zip"), library);
  const fresh = await loadPyodide({
    stdLibURL: made("library.zip"),
    env: { XDG_CACHE_HOME: "/covr/cache" },
    fsInit: async (FS) => {
      for (const folder of folders) FS.mkdirTree(`/covr/${folder}`);
      for (const [name, raw] of files) FS.writeFile(`/covr/${name}`, raw, { mode: 0o644 });
    },
  });
  const { text } = JSON.parse(readFileSync(join(OUT, "opening.json"), "utf8")).start;
  fresh.globals.set("asked", JSON.stringify({ name: "first.cover", kind: "solve", text, data: {}, options: {} }));
  const found = fresh.runPython(`
import sys
sys.path.insert(0, "/covr")
from covr.studio.in_page import PageStudio, warm
warm()
told = []
PageStudio(told.append).ask(asked)
assert any('"answer"' in one for one in told), told
[name for name, module in sys.modules.items() if getattr(module, "__file__", None)]`);
  return found.toJs();
}

/** How much of a package, packed, is no part of covr. */
function shareOfOthers(raw) {
  const { files, library } = opened(raw);
  const size = (name, parts) => {
    writeFileSync(made(name), Buffer.concat(parts));
    python(join(ROOT, ".ci", "playground.py"), "pack", made(name), made(`${name}.xz`));
    return statSync(made(`${name}.xz`)).size;
  };
  const of = (own) => files.filter(([name]) => /^(covr|cache)\//.test(name) === own).map(([, part]) => part);
  const [others, own] = [size("others", [library, ...of(false)]), size("own", of(true))];
  return others / (others + own);
}

function hash(raw) {
  return createHash("sha256").update(raw).digest("hex").slice(0, 12);
}
