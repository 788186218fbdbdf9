import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { daySpans } from './day-spans.ts';
import type { TimeSpan } from './day-spans.ts';
import { segmentsOfDay } from './history-days.ts';

/** What a person wants kept, as the page tells it. */
export interface WishedDays {
  readonly budgetBytes: number;
  readonly pinnedDays: readonly string[];
  readonly wantedDays: readonly string[];
  readonly skippedDays: readonly string[];
}

/** What a person wants of this device's copy, as the plan takes it. */
export class DayWishes {
  #wishes: WishedDays;
  #pinned: readonly TimeSpan[] = [];
  #skipped: readonly TimeSpan[] = [];

  constructor(budgetBytes: number) {
    this.#wishes = { budgetBytes, pinnedDays: [], wantedDays: [], skippedDays: [] };
  }

  set(wishes: WishedDays): void {
    this.#wishes = wishes;
    this.#pinned = daySpans(wishes.pinnedDays);
    this.#skipped = daySpans(wishes.skippedDays);
  }

  /** For the plan of the store. */
  plan(): {
    readonly budgetBytes: number;
    readonly pinned: readonly TimeSpan[];
    readonly skipped: readonly TimeSpan[];
  } {
    return { budgetBytes: this.#wishes.budgetBytes, pinned: this.#pinned, skipped: this.#skipped };
  }

  /** Days to be fetched as soon as it can be. */
  get wanted(): readonly string[] {
    return this.#wishes.wantedDays;
  }

  /** Taken off this device by hand. */
  isSkipped(day: string): boolean {
    return this.#wishes.skippedDays.includes(day);
  }

  /** Wanted days of which everything is here, or of which there is nothing. */
  arrived(listed: readonly SegmentEntry[], isHeld: (entry: SegmentEntry) => boolean): readonly string[] {
    return this.wanted.filter((day) => segmentsOfDay(listed, day).every((entry) => isHeld(entry)));
  }
}
