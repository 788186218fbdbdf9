import type { Clock, Log } from '../domain/ports.ts';

/** Where lines go: stdout, or a test's array. */
export interface LogSink {
  readonly isTTY?: boolean | undefined;
  write(line: string): unknown;
}

/** A log that writes one JSON object a line, or a readable line where a person watches a terminal. */
export function consoleLog(sink: LogSink, clock: Clock): Log {
  const write =
    (level: 'info' | 'warn' | 'error') => (fields: Readonly<Record<string, unknown>>, message: string) => {
      const at = new Date(clock.now()).toISOString();
      sink.write(
        sink.isTTY === true
          ? `${at.slice(11, 19)} ${level === 'info' ? '' : `${level.toUpperCase()} `}${message}${readable(fields)}\n`
          : `${JSON.stringify({ at, level, message, ...fields })}\n`,
      );
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

function readable(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
}
