// Builds the page: one script, that of a worker, one style sheet, one HTML file, without any address outside.
import { build, context } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "..", "covr", "studio", "page");
const LIMIT = 1_000_000; // bytes of all files together: a page that stays quick to open

const options = {
  absWorkingDir: HERE,
  entryPoints: { app: "src/app.ts" },
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "utf8",
  loader: { ".txt": "text" },
  legalComments: "eof", // the licences of what is bundled travel with it
  logLevel: "info",
};

await mkdir(OUT, { recursive: true });
await build({ ...options, entryPoints: { line: "src/line.ts" } });
options.define = { LINE: JSON.stringify(createHash("sha256").update(await readFile(join(OUT, "line.js"))).digest("hex").slice(0, 12)) };
await copyFile(join(HERE, "src", "index.html"), join(OUT, "index.html"));
if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  await build(options);
  let bytes = 0;
  for (const name of ["app.js", "app.css", "line.js", "index.html"]) bytes += (await stat(join(OUT, name))).size;
  console.log(`${bytes} bytes in all`);
  if (bytes > LIMIT) throw new Error(`the page has ${bytes} bytes, more than ${LIMIT}`);
}
