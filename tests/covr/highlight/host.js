// Drives VS Code, as a page of code-server, in a browser: what a person sees of the extension, as JSON.
// node host.js PLAYWRIGHT CHROMIUM ADDRESS FILE

const [playwright, executablePath, address, file] = process.argv.slice(2);
const { chromium } = require(playwright);
const PATIENCE = 60000; // milliseconds

async function texts(page, selector) {
  return page.$$eval(selector, (found) => found.map((one) => one.textContent.replace(/\u00a0/g, ' ')));
}

async function until(page, look) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await page.waitForTimeout(300)) {
    const found = await look();
    if (found && found.length) return found;
  }
  return [];
}

async function command(page, name) {
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget input', { state: 'visible' });
  await page.keyboard.type(name);
  await until(page, async () => (await texts(page, '.quick-input-list .label-name')).filter((t) => t.includes(name)));
  await page.keyboard.press('Enter');
}

async function pictures(page) {
  const found = [];
  for (const frame of page.frames()) {
    try {
      found.push(...(await frame.$$eval('img[alt="the answer"]', (images) => images.map((i) => i.naturalWidth))));
    } catch { /* a frame that is being left */ }
  }
  return found.filter((width) => width > 0);
}

async function main() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  await page.dblclick(`.explorer-folders-view >> text=${file}`);
  const seen = { lenses: await until(page, () => texts(page, '.codelens-decoration a')) };
  seen.hints = await until(page, async () =>
    (await texts(page, '.view-line span')).filter((text) => /^\d+ choices$/.test(text.trim())));
  await page.click('.view-line >> nth=0');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nexactly one plase per r');
  await page.waitForSelector('.squiggly-error');
  await page.waitForTimeout(3000); // the fault of the whole word, and not of its first letters
  await page.keyboard.press('F8');
  seen.fault = await until(page, () => texts(page, '.marker-widget'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  seen.fixes = await until(page, () => texts(page, '.action-widget .monaco-list-row.action'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.squiggly-error', { state: 'detached' });
  await command(page, 'Draw the First Answer Beside');
  seen.picture = await until(page, () => pictures(page));
  await command(page, 'Count the Answers');
  seen.notices = await until(page, () => texts(page, '.notification-list-item-message'));
  await browser.close();
  console.log(JSON.stringify(seen));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
