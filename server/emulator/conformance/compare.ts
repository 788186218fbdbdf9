import type { RecordedExchange } from './recording.ts';

/** Status and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A recorded request in one line, for a readable difference. */
export function label(recorded: RecordedExchange, what: string | null): string {
  const { method, path, body } = recorded.request;
  return `${recorded.t} ${method} ${path.replace(/after=2026[^&]*/, 'after=…')} ${(body ?? '').slice(0, 90)} ⇒ ${what}`;
}

/** Status, header names, and the values that are part of the contract. */
export function headOf({ status, headers }: AnswerHead): string {
  const told = ['content-type', 'allow', 'location', 'www-authenticate', 'cache-control', 'connection'];
  return `${status} ${headerNames(headers).join(',')} ${told.map((name) => headers[name] ?? '-').join(' ')}`;
}

/** Length and chunking are one thing: how the body ends. */
export function headerNames(headers: AnswerHead['headers']): readonly string[] {
  const all = Object.keys(headers).map((name) =>
    name === 'content-length' || name === 'transfer-encoding' ? 'framing' : name,
  );
  return [...new Set(all)].sort();
}
