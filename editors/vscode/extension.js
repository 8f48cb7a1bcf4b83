// The extension: it starts `covr lsp`, and shows pictures of answers in a panel beside the model.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;
let panel;
let shown; // the model that the panel shows, and whether as a puzzle

function settings() {
  return vscode.workspace.getConfiguration('covr');
}

function newClient() {
  const command = settings().get('command') || 'covr';
  const made = new LanguageClient(
    'covr',
    'covr',
    { command, args: ['lsp'] },
    {
      documentSelector: [{ language: 'cover' }],
      initializationOptions: {
        limit: settings().get('limit'),
        compileWhileTyping: settings().get('compileWhileTyping'),
      },
      middleware: {
        // The server would open a picture outside the editor.
        executeCommand: (name, args, next) =>
          name === 'covr.draw' ? draw(args[0], false) : next(name, args),
      },
    },
  );
  return made;
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `covr could not be started (${error.message ?? error}). Install it with: pip install 'covr[lsp]'`,
      'Open the Settings',
    );
    if (choice) vscode.commands.executeCommand('workbench.action.openSettings', 'covr.command');
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old && old.isRunning()) await old.stop();
}

async function restart() {
  await stop();
  await start();
}

// The address of the model that is being edited; undefined if there is none.
function current() {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === 'cover') {
    return client.code2ProtocolConverter.asUri(editor.document.uri);
  }
  vscode.window.showInformationMessage('Open a model first: a file whose name ends in .cover.');
  return undefined;
}

// Runs a command of the server on the model that is being edited.
async function run(command) {
  const uri = current();
  if (!uri) return;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: `${command} …` },
    () => client.sendRequest('workspace/executeCommand', { command, arguments: [uri] }),
  );
}

async function why() {
  const editor = vscode.window.activeTextEditor;
  if (!current()) return;
  if (editor.document.isUntitled || editor.document.isDirty) await editor.document.save();
  const command = settings().get('command') || 'covr';
  const task = new vscode.Task(
    { type: 'covr' },
    vscode.TaskScope.Workspace,
    'why',
    'covr',
    new vscode.ProcessExecution(command, ['why', editor.document.uri.fsPath]),
  );
  await vscode.tasks.executeTask(task);
}

// Shows the first answer of a model, or the puzzle unsolved, beside it.
async function draw(uri, puzzle) {
  if (!uri) return;
  if (!panel) {
    panel = vscode.window.createWebviewPanel(
      'covr.picture',
      'Answer',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false },
    );
    panel.onDidDispose(() => {
      panel = undefined;
      shown = undefined;
    });
  }
  shown = { uri, puzzle };
  panel.title = puzzle ? 'Puzzle' : 'Answer';
  panel.webview.html = page('', 'searching …');
  let result;
  try {
    result = await client.sendRequest('covr/picture', { uri, puzzle });
  } catch (error) {
    result = { said: String(error.message ?? error) };
  }
  if (panel && shown && shown.uri === uri) {
    const text = result.svg ? '' : (result.said ?? result.failed ?? '');
    panel.webview.html = page(result.svg ?? '', text);
  }
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

// A picture is shown as an image, so nothing in it can be run.
function page(svg, text) {
  const data = Buffer.from(svg, 'utf-8').toString('base64');
  const picture = svg ? `<img alt="the answer" src="data:image/svg+xml;base64,${data}">` : '';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>
  body { padding: 1em; text-align: center; }
  img { max-width: 100%; max-height: 90vh; background: white; }
  pre { text-align: left; white-space: pre-wrap; }
</style>
</head>
<body>${picture}<pre>${escaped(text)}</pre></body>
</html>`;
}

async function activate(context) {
  const commands = {
    'covr.run.solve': () => run('covr.solve'),
    'covr.run.count': () => run('covr.count'),
    'covr.run.why': why,
    'covr.run.draw': () => draw(current(), false),
    'covr.run.puzzle': () => draw(current(), true),
    'covr.restart': restart,
  };
  for (const [name, action] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  }
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      const own = ['covr.command', 'covr.limit', 'covr.compileWhileTyping'];
      if (own.some((name) => change.affectsConfiguration(name))) restart();
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (panel && shown && client.code2ProtocolConverter.asUri(document.uri) === shown.uri) {
        draw(shown.uri, shown.puzzle);
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
