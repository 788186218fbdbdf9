import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type BrowserContext, type CDPSession, type Page, chromium } from 'playwright';
import { z } from 'zod';
import type { Product } from '../product.ts';
import type { Scratch } from '../scratch.ts';

/** What a page is asked to note the time of. */
export interface Watch {
  readonly name: string;
  readonly selector: string;
  /** With both, the element must have at least this number in the attribute. */
  readonly attribute?: string;
  readonly atLeast?: number;
}

/** A page of a phone, measured from before its first script. */
export interface MeasuredPage {
  readonly page: Page;
  /** Slows the page's main thread down by a factor; its workers run on at full speed. */
  throttle(rate: number): Promise<void>;
  /** When what was watched was on screen, in ms since the navigation began. */
  mark(name: string, timeoutMs: number): Promise<number>;
  longTasks(): Promise<readonly { readonly startTime: number; readonly duration: number }[]>;
}

/** The app has drawn its page in place of the frame that `index.html` brings. */
export const APP: Watch = { name: 'the app', selector: '#root > :not(#start-frame)' };

const FOUND = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'drover', 'browser.json');
const PROBE = join(import.meta.dirname, 'page-probe.mjs');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const longTasks = z.array(z.object({ startTime: z.number(), duration: z.number() }));

/** A fresh browser profile on disk, signed in to a server: what a person has after pairing. */
export async function openProfile(
  scratch: Scratch,
  product: Product,
  origin = product.url,
): Promise<BrowserContext> {
  const found = existsSync(FOUND)
    ? z.object({ executablePath: z.string() }).parse(JSON.parse(readFileSync(FOUND, 'utf8')))
    : {};
  const context = await chromium.launchPersistentContext(scratch.directory(), {
    ...found,
    ...PHONE,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  });
  scratch.onEnd(() => context.close());
  const [name, value] = product.cookie.split('=');
  if (name === undefined || value === undefined) throw new Error('the session cookie has no value');
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
  return context;
}

/** Opens a page with the probe in it. */
export async function openPage(context: BrowserContext, watches: readonly Watch[]): Promise<MeasuredPage> {
  const page = await context.newPage();
  await page.addInitScript(`globalThis.droverWatch = ${JSON.stringify(watches)};`);
  await page.addInitScript({ path: PROBE });
  const session: CDPSession = await context.newCDPSession(page);
  return {
    page,
    throttle: async (rate) => void (await session.send('Emulation.setCPUThrottlingRate', { rate })),
    async mark(name, timeoutMs) {
      const noted = `globalThis.droverProbe.marks[${JSON.stringify(name)}]`;
      // Asked for from here: the content security policy forbids what `waitForFunction` does in the page.
      const until = performance.now() + timeoutMs;
      while (performance.now() < until) {
        const at = z
          .number()
          .nullish()
          .parse(await page.evaluate(noted));
        if (typeof at === 'number') return at;
        await setTimeout(200);
      }
      throw new Error(`"${name}" was not on screen within ${timeoutMs} ms`);
    },
    longTasks: async () => longTasks.parse(await page.evaluate('globalThis.droverProbe.longTasks')),
  };
}

/** Time of the first contentful paint, in ms since the navigation began. The browser tells it a little later. */
export async function firstPaint(page: Page): Promise<number> {
  for (let attempt = 0; attempt < 25; attempt += 1) {
    const time = await page.evaluate(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null`,
    );
    if (typeof time === 'number') return time;
    await setTimeout(200);
  }
  return Number.NaN;
}
