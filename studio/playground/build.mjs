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
const MOST = 5_700_000; // bytes that a first visit may fetch: 4.6 s of a line of 10 Mbit/s

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
  pyodide.runPython(readFileSync(join(HERE, "library.py"), "utf8"));
  const library = pyodide.runPython("packed()").toJs();
  writeFileSync(made("library"), library);
  writeFileSync(made("python"), readFileSync(join(HERE, "..", "node_modules", "pyodide", "pyodide.asm.wasm")));

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
  await build({ ...common, entryPoints: ["src/playground/worker.ts"], outfile: made("worker"), format: "esm", platform: "browser", external: ["node:*"] });
  const files = {};
  for (const name of ["python", "library", "worker"]) {
    python(join(ROOT, ".ci", "playground.py"), "pack", made(name), made(`${name}.xz`));
    const raw = readFileSync(made(`${name}.xz`));
    const path = `runtime/${name}-${hash(raw)}.xz`;
    writeFileSync(join(OUT, path), raw);
    files[name] = { path, bytes: raw.length };
  }
  const page = ["app.js", "app.css", "opening.json", "gallery.json"];
  const options = { ...common, format: "iife", outdir: OUT };
  const numbered = (name) => ({ BUILD: JSON.stringify(name), FILES: JSON.stringify(files) });
  // What names the build is the hash of all that it is made of.
  await build({ ...options, entryPoints: { app: "src/playground/app.ts" }, define: numbered("") });
  const name = hash(Buffer.concat([...page.map((path) => readFileSync(join(OUT, path))), ...Object.values(files).map(({ path }) => Buffer.from(path))]));
  await build({ ...options, entryPoints: { app: "src/playground/app.ts" }, define: numbered(name) });
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
  let first = 0;
  for (const path of ["index.html", ...page, ...Object.values(files).map(({ path }) => path)]) {
    const { size } = statSync(join(OUT, path));
    if (path !== "gallery.json") first += size;
    console.log(`${size} ${path}`);
  }
  console.log(`${first} bytes for a first visit`);
  if (first > MOST) throw new Error(`a first visit takes ${first} bytes, more than ${MOST}`);
  console.log(OUT);
} catch (fault) {
  console.error(`error: ${fault.message}`.slice(0, 2000)); // without the line of code, which has a million characters
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(); // Pyodide keeps node alive

function hash(raw) {
  return createHash("sha256").update(raw).digest("hex").slice(0, 12);
}
