import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, fail, pinnedNode, run, say } from './shared.mjs';

/** Where the path of the browser is left for the tests and the benchmark: `{executablePath}`. */
const FOUND_PATH = join(ROOT, 'node_modules', '.cache', 'drover', 'browser.json');

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Finds a Chromium for the browser tests, or installs one: an installed one, Playwright's own, Debian's package. */
export function ensureBrowser() {
  const found = process.env.DROVER_TEST_BROWSER ?? remembered() ?? INSTALLED.find((path) => existsSync(path));
  if (found) return remember(found);
  const own = playwrightBrowser();
  if (own && existsSync(own)) return remember(own);
  if (isDebianRoot()) {
    say('installing chromium for the browser tests…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-q'], { env });
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env });
    if (existsSync('/usr/bin/chromium')) return remember('/usr/bin/chromium');
  }
  say("downloading Playwright's Chromium for the browser tests…");
  const cli = join(ROOT, 'node_modules', 'playwright', 'cli.js');
  run(pinnedNode() ?? 'node', [cli, 'install', 'chromium'], { timeout: 300_000 });
  if (own && existsSync(own)) return remember(own);
  fail(
    'the browser tests need Chromium or Chrome and none could be found or installed. Install one, or set ' +
      'DROVER_TEST_BROWSER to its path. (npm run test:unit needs no browser.)',
  );
}

function remembered() {
  if (!existsSync(FOUND_PATH)) return null;
  const { executablePath } = JSON.parse(readFileSync(FOUND_PATH, 'utf8'));
  return existsSync(executablePath) ? executablePath : null;
}

function remember(executablePath) {
  mkdirSync(dirname(FOUND_PATH), { recursive: true });
  writeFileSync(FOUND_PATH, `${JSON.stringify({ executablePath })}\n`);
}

function playwrightBrowser() {
  const script = "process.stdout.write(require('playwright').chromium.executablePath())";
  const result = spawnSync(pinnedNode() ?? 'node', ['-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return result.status === 0 ? result.stdout : null;
}

function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}
