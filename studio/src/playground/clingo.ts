// clingo of npm as a script of its own, which a worker loads when a question first needs it.

import createModule from "../../node_modules/clingo-wasm/dist/clingo.js";

const BROKEN = 65; // how clingo ends after an error of its own

/** A clingo that reads a program from /dev/stdin, of any length: as an argument it would lie on a stack of 1 MiB. */
export default async function load(settings: object): Promise<{ run(program: string, options: string): [code: number, told: string] }> {
  let [lines, program, at]: [string[], Uint8Array, number] = [[], new Uint8Array(), 0];
  const print = (line: string) => lines.push(line);
  const stdin = () => (at < program.length ? program[at++]! : null);
  const clingo = await createModule({ ...settings, print, printErr: print, stdin } as never);
  return {
    run(text, options) {
      [lines, program, at] = [[], new TextEncoder().encode(text), 0];
      const code = clingo.ccall("run", "number", ["string", "string"], ["", options]);
      return [at < program.length ? BROKEN : code, lines.join("\n")];
    },
  };
}
