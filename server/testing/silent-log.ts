import type { Log } from '../domain/ports.ts';

/** A log for tests: keeps its lines. */
export interface KeptLog extends Log {
  readonly lines: { readonly level: string; readonly fields: unknown; readonly message: string }[];
}

/** A log that writes nothing and keeps what it was given. */
export function silentLog(): KeptLog {
  const lines: KeptLog['lines'][number][] = [];
  const keep = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}
