import { request } from 'node:http';

/** An event stream being read in the background. */
export interface WatchedStream {
  readonly headers: Readonly<Record<string, string>>;
  /** What came so far. */
  readonly text: () => string;
}

/** Opens `/api/events` and reads it until the host ends it. */
export function watchEvents(url: string, key: string): Promise<WatchedStream> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${key}` },
      agent: false,
    });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', () => {});
      resolve({
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        ),
        text: () => text,
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
