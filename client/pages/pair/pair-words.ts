import type { ApiError } from '../../data/types.ts';

/** What went wrong with a code and where it is shown. */
export interface PairProblem {
  readonly field: 'code' | 'label' | 'form';
  readonly words: string;
  /** Milliseconds until another try is allowed; null when it is now. */
  readonly waitMs: number | null;
}

/** An answer to `POST /api/pair` that let nobody in, in words for the person who typed the code. */
export function pairProblem(error: ApiError): PairProblem {
  switch (error.code) {
    case 'bad_code':
      return codeProblem('This code is not open. Capitals count; each code works once, for 10 minutes.');
    case 'code_used':
      return codeProblem('This code was already used. Ask for a new one.');
    case 'refused':
      return codeProblem('Not let in.');
    case 'gone':
      return codeProblem('Nobody let this device in in time. Ask for a new code.');
    case 'rate_limited':
      return { field: 'code', words: 'Too many tries.', waitMs: error.retryAfterMs ?? 60_000 };
    case 'network':
    case 'timeout':
      return { field: 'form', words: 'This needs the collector, and it does not answer.', waitMs: null };
    default:
      return error.details.some((detail) => detail.path.endsWith('label'))
        ? { field: 'label', words: error.details[0]?.message ?? error.message, waitMs: null }
        : { field: 'form', words: error.message, waitMs: null };
  }
}

/** The wait before the next try: `Too many tries. Next one in 40 s.` */
export function waitWords(waitMs: number): string {
  return `Too many tries. Next one in ${Math.max(1, Math.ceil(waitMs / 1000))} s.`;
}

function codeProblem(words: string): PairProblem {
  return { field: 'code', words, waitMs: null };
}
