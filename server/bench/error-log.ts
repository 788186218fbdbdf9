import type { Log } from '../domain/ports.ts';

/** A log that says what goes wrong, on stderr, and nothing else: a benchmark must not measure a broken product unnoticed. */
export const errorLog: Log = {
  info: () => undefined,
  warn: (fields, message) => void process.stderr.write(`warn: ${message} ${JSON.stringify(fields)}\n`),
  error: (fields, message) => void process.stderr.write(`error: ${message} ${JSON.stringify(fields)}\n`),
};
