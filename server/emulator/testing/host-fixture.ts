import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import { EmulatedHost } from '../emulated-host.ts';
import type { EmulatedHostOptions } from '../emulated-host.ts';

/** A host that ends with the test. Models load in a few milliseconds unless told otherwise. */
export async function startHost(options: Partial<EmulatedHostOptions> = {}): Promise<EmulatedHost> {
  const host = new EmulatedHost({ era: 'v250', config: twoModels(), ...options });
  await host.start();
  onTestFinished(() => host.stop());
  return host;
}

/** Two models that cannot run together. */
export function twoModels(): EmulatedHostOptions['config'] {
  return {
    models: ['alpha', 'beta'].map((id) => ({
      id,
      load: { durationMs: 5 },
      stopMs: 2,
      tokensPerSecond: 2000,
    })),
  };
}

/** Body of a chat completion request. */
export function chat(
  model: string,
  content = 'hello',
  more: Readonly<Record<string, unknown>> = {},
): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }], ...more }),
  };
}

/** An open stream whose text can be waited for. */
export interface OpenStream {
  readonly text: () => string;
  /** Resolves when the text matches; rejects when the stream ends before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** How it ended. */
  readonly ended: Promise<'end' | 'cut'>;
  readonly close: () => void;
  /** Stops reading, as a suspended client does. */
  readonly pause: () => void;
}

/** Opens a GET and reads it in the background. */
export async function open(url: string): Promise<OpenStream> {
  const sent = request(url, { agent: false });
  sent.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  sent.on('error', () => {});
  onTestFinished(() => void sent.destroy());
  let text = '';
  const waiting = new Set<() => void>();
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    for (const check of waiting) check();
  });
  const ended = new Promise<'end' | 'cut'>((resolve) => {
    response.on('end', () => resolve('end'));
    response.on('error', () => resolve('cut'));
    response.on('close', () => resolve('cut'));
  });
  return {
    text: () => text,
    ended,
    close: () => sent.destroy(),
    pause: () => response.pause(),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!pattern.test(text)) return;
          waiting.delete(check);
          resolve(text);
        };
        waiting.add(check);
        check();
        void ended.then((how) =>
          reject(new Error(`stream ${how} before ${String(pattern)}: ${text.slice(-300)}`)),
        );
      }),
  };
}

/** Body of a GET, as the schema reads it. */
export async function getJson<S extends z.ZodType>(url: string, schema: S): Promise<z.output<S>> {
  return schema.parse(await (await fetch(url)).json());
}

/** Status and whole text of an answer; rejects when it is cut. */
export async function answerOf(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}
