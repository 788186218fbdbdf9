import type { BrowserContext } from 'playwright/test';

/** What a browser complained of while a test ran. */
export interface Complaints {
  /** Errors of the console and of scripts, violations of the content security policy included. */
  readonly all: readonly string[];
  /** The same without what any cut network or refused request leaves in the console. */
  readonly unexpected: () => readonly string[];
}

/** Chromium's own words for a request or socket that failed; pages cannot keep them out of the console. */
const NETWORK_NOISE = [
  /^Failed to load resource: /,
  /^WebSocket connection to /,
  /ERR_INTERNET_DISCONNECTED/,
  /^(An unknown error occurred|A bad HTTP response code \(5\d\d\) was received) when fetching the script\.$/,
];

/** Collects errors of every page of a context, from the first script on. */
export function watchPages(context: BrowserContext): Complaints {
  const all: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') all.push(message.text());
  });
  context.on('weberror', (error) => all.push(String(error.error())));
  return {
    all,
    unexpected: () => all.filter((text) => !NETWORK_NOISE.some((noise) => noise.test(text))),
  };
}
