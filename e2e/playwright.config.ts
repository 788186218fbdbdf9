import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'playwright/test';
import { z } from 'zod';

/** `bin/setup.mjs test` leaves the path of the browser that it found or installed here; else Playwright looks itself. */
const found = join(import.meta.dirname, '..', 'node_modules', '.cache', 'drover', 'browser.json');
const browser = existsSync(found)
  ? z.object({ executablePath: z.string() }).parse(JSON.parse(readFileSync(found, 'utf8')))
  : {};

// The tests live where it is noon: no day ends while one of them looks at today. Workers are given the zone of the first process.
if (process.env['TEST_WORKER_INDEX'] === undefined) {
  const hoursEast = 12 - new Date().getUTCHours();
  // In these names east is minus.
  process.env['TZ'] = `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.abs(hoursEast)}`;
}

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // One more than the cores of a small machine: tests also wait.
  workers: 3,
  // Every test has an installation of its own.
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  reporter: [['list']],
  use: {
    launchOptions: {
      ...browser,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--host-resolver-rules=MAP drover.test 127.0.0.1',
      ],
    },
    // A quarter of what a run costs; `npm run test:e2e -- --trace retain-on-failure` keeps them while a failure is looked for.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      grepInvert: /@laptop-only/,
    },
    { name: 'laptop', use: { viewport: { width: 1440, height: 900 } }, grep: /@laptop/ },
  ],
});
