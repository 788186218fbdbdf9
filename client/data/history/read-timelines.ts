import type { ActivityRow } from '#shared/schemas/activity.ts';
import type { SegmentEntry } from '#shared/schemas/segment.ts';
import { coveredFrom } from './coverage.ts';
import type { HeldTimeline, TimelineWish } from './held-timeline.ts';
import { AFTER_MS, TimelineSketch } from './held-timeline.ts';
import type { HistoryLibrary } from './history-library.ts';
import { blockOf } from './row-block.ts';
import type { TailRows } from './tail-rows.ts';

/** Where timelines are read from; library and manifest as they are at each step. */
export interface TimelineSources {
  readonly library: () => HistoryLibrary;
  readonly listed: () => readonly SegmentEntry[] | null;
  readonly tail: TailRows<ActivityRow>;
  /** Runs a task between what else the engine does. */
  readonly step: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Reads what this device holds of hosts; a segment is decoded once for all of them. */
export async function readTimelines(
  wishes: readonly TimelineWish[],
  { library, listed, tail, step }: TimelineSources,
): Promise<readonly HeldTimeline[]> {
  const sketches = wishes.map((wish) => new TimelineSketch(wish));
  const isWanted = ({ from, to }: { readonly from: number; readonly to: number }): boolean =>
    wishes.some(
      (wish) =>
        to + wish.clockOffsetMs >= wish.from &&
        from + wish.clockOffsetMs < wish.to + wish.bucketMs + AFTER_MS,
    );
  // The tail comes first: a row that is trimmed meanwhile is then in a segment, and counts once in any case.
  await step(async () => {
    const block = blockOf(tail.rows());
    for (const sketch of sketches) sketch.addBlock(block);
  });
  for (const { hash, kind, from, to } of library().held()) {
    if (kind !== 'activity' || !isWanted({ from, to })) continue;
    const block = await step(() => library().rows(hash));
    if (block !== null) for (const sketch of sketches) sketch.addBlock(block);
  }
  const covered = coveredFrom({
    listed: listed(),
    isHeld: (entry) => library().isHeld(entry),
    tailFrom: tail.oldest(),
  });
  return sketches.map((sketch) => sketch.finish(covered));
}
