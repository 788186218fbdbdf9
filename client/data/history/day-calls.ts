import type { ApiError } from '../types.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { NEEDS_COLLECTOR, NO_PLACE } from './day-errors.ts';

/** How the files of the days stand that somebody waits for. */
export interface DayFacts {
  /** Hashes of what is on this device. */
  readonly placed: ReadonlySet<string>;
  /** Why a file could not be fetched; null: it was not tried in vain. */
  readonly failureOf: (hash: string) => ApiError | null;
  /** False: this device has no place for it. */
  readonly hasPlace: (hash: string) => boolean;
  readonly online: boolean;
}

/** The answer to one call: null where the whole day is on this device. */
export interface DayAnswer {
  readonly callId: number;
  readonly error: ApiError | null;
}

interface DayCall {
  readonly callId: number;
  readonly entries: readonly SegmentEntry[];
}

/** The calls of people who asked for a day and wait for it. */
export class DayCalls {
  #waiting: readonly DayCall[] = [];

  add(callId: number, entries: readonly SegmentEntry[]): void {
    this.#waiting = [...this.#waiting, { callId, entries }];
  }

  /** Every file that somebody waits for. */
  entries(): readonly SegmentEntry[] {
    return this.#waiting.flatMap(({ entries }) => entries);
  }

  /** Answers what has come, and what cannot come; the rest goes on waiting. */
  settle(facts: DayFacts): readonly DayAnswer[] {
    const answers = this.#waiting.map((call) => ({ call, error: errorOf(call, facts) }));
    this.#waiting = answers.filter(({ error }) => error === undefined).map(({ call }) => call);
    return answers.flatMap(({ call: { callId }, error }) => (error === undefined ? [] : [{ callId, error }]));
  }
}

/** Undefined: it may still come. */
function errorOf({ entries }: DayCall, facts: DayFacts): ApiError | null | undefined {
  const missing = entries.filter(({ hash }) => !facts.placed.has(hash));
  if (missing.length === 0) return null;
  const failure = missing.map(({ hash }) => facts.failureOf(hash)).find((found) => found !== null);
  if (failure) return failure;
  if (!facts.online) return NEEDS_COLLECTOR;
  return missing.some(({ hash }) => !facts.hasPlace(hash)) ? NO_PLACE : undefined;
}
