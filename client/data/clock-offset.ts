import type { Host } from '#shared/schemas/host.ts';

/** Below this a host's clock is as good as the collector's: its `Date` header tells whole seconds. */
const TOLERANCE_MS = 5_000;

/** What has to be added to a host's times so that they are the collector's; 0 where they agree or nothing is known. */
export function clockOffsetOf({ clockOffsetMs }: Pick<Host, 'clockOffsetMs'>): number {
  const offset = clockOffsetMs ?? 0;
  return Math.abs(offset) < TOLERANCE_MS ? 0 : offset;
}
