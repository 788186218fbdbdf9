import type { Log } from '../domain/ports.ts';

/** A log that keeps what was said, for tests to look at. */
export function quietLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}
