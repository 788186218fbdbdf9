import type { LogSink } from './adapters/console-log.ts';

/** What the server says when it is ready. */
export interface Listening {
  readonly url: string;
  readonly pid: number;
  /** Link that pairs the first device; null once there is one. */
  readonly pairingUrl: string | null;
  /** Address for other machines on the network; null when only this one can connect. */
  readonly lanUrl: string | null;
}

/** Writes the one line that scripts wait for and, where a person watches, what to do next. */
export function announceListening(sink: LogSink, listening: Listening): void {
  const { url, pid, pairingUrl, lanUrl } = listening;
  sink.write(`${JSON.stringify({ event: 'listening', url, pid, pairingUrl })}\n`);
  if (sink.isTTY !== true) return;
  const lines =
    pairingUrl === null
      ? [`Drover is at ${url}`, ...(lanUrl === null ? [] : [`on your network: ${lanUrl}`])]
      : ['Open this link to pair your first device, which becomes the admin:', '', `  ${pairingUrl}`];
  if (pairingUrl !== null && lanUrl !== null) {
    lines.push(
      '',
      'or, from another machine on your network:',
      '',
      `  ${lanUrl}/${new URL(pairingUrl).hash}`,
    );
  }
  if (pairingUrl === null)
    lines.push('Locked out? "npx drover pair --role admin" prints a new pairing link.');
  sink.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`);
}
