import { request } from 'node:http';
import type { EmulatedHost } from '../emulated-host.ts';
import type { RecordedExchange } from './recording.ts';

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a recorded request again; null when no headers came within `giveUpMs` of host time. */
export function replay(
  host: EmulatedHost,
  recorded: RecordedExchange['request'],
  giveUpMs: number,
): Promise<WireAnswer | null> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(
      Object.entries(recorded.headers).filter(([name]) => name !== 'host' && name !== 'connection'),
    );
    const sent = request(`${host.url}${recorded.path}`, {
      method: recorded.method,
      headers: { ...headers, connection: 'keep-alive' },
      agent: false,
    });
    let answer: WireAnswer | null = null;
    const cancelTimer = host.time.clock.after(giveUpMs, () => {
      sent.destroy();
      resolve(answer);
    });
    sent.on('response', (response) => {
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      );
      let body = '';
      const done = (): void => {
        cancelTimer();
        resolve(answer);
      };
      answer = { status: response.statusCode ?? 0, headers, body };
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        answer = { status: response.statusCode ?? 0, headers, body };
      });
      response.on('end', done);
      response.on('close', done);
      response.on('error', done);
    });
    sent.on('error', (error) => {
      cancelTimer();
      reject(error);
    });
    sent.end(recorded.body ?? undefined);
  });
}
