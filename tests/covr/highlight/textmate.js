// Colours texts as editors with TextMate grammars do.
// Standard input: a JSON list of texts; output: for each text a list of [offset, length, scopes].
const fs = require('fs');
const path = require('path');
const [grammar, modules] = process.argv.slice(2);
const { Registry, parseRawGrammar, INITIAL } = require(path.join(modules, 'vscode-textmate'));
const oniguruma = require(path.join(modules, 'vscode-oniguruma'));

async function main() {
  await oniguruma.loadWASM(fs.readFileSync(path.join(modules, 'vscode-oniguruma/release/onig.wasm')).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(grammar, 'utf-8'), grammar),
  });
  const cover = await registry.loadGrammar('source.cover');
  const coloured = JSON.parse(fs.readFileSync(0, 'utf-8')).map((text) => {
    const found = [];
    let stack = INITIAL;
    let offset = 0;
    for (const line of text.split('\n')) {
      const result = cover.tokenizeLine(line, stack);
      for (const token of result.tokens) {
        const end = Math.min(token.endIndex, line.length);
        found.push([offset + token.startIndex, end - token.startIndex, token.scopes]);
      }
      stack = result.ruleStack;
      offset += line.length + 1;
    }
    return found;
  });
  process.stdout.write(JSON.stringify(coloured));
}

main();
