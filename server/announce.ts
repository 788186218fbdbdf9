import type { LogSink } from './adapters/console-log.ts';

/** What the server says when it is ready. */
export interface Listening {
  readonly url: string;
  readonly pid: number;
  /** Link that pairs the first device; null once there is one. */
  readonly pairingUrl: string | null;
}

/** Writes the one line that scripts wait for and, where a person watches, what to do next. */
export function announceListening(sink: LogSink, listening: Listening): void {
  const { url, pid, pairingUrl } = listening;
  sink.write(`${JSON.stringify({ event: 'listening', url, pid, pairingUrl })}\n`);
  if (sink.isTTY !== true) return;
  sink.write(
    pairingUrl === null
      ? `\n  Drover is at ${url}\n  Locked out? "npx drover pair --role admin" prints a new pairing link.\n\n`
      : `\n  Open this link to pair your first device, which becomes the admin:\n\n    ${pairingUrl}\n\n`,
  );
}
