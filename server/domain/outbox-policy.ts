/** What an outbox is measured by. */
export interface OutboxSize {
  readonly records: number;
  /** Of the document, and of its live records as JSON. */
  readonly bytes: number;
  readonly recordBytes: number;
  /** Yjs clients that ever wrote in it: one for each page that did. */
  readonly clients: number;
  readonly since: number | null;
}

const WEEK_MS = 604_800_000;
/** A record that was taken out leaves about 60 bytes: this is after some 250 intents. */
const EMPTY_BYTES = 16 * 1024;
const EMPTY_CLIENTS = 64;
/** Where records always wait, the document is not left to grow up to its limit: the device puts them into the next one. */
const WASTE_BYTES = 48 * 1024;

/**
 * True when another epoch should begin, because what is left of records that were taken out is no longer small. Every
 * record that stands in a stored outbox is in the ledger already, so none depends on the document.
 */
export function shouldRotate(size: OutboxSize, now: number): boolean {
  const { records, bytes, recordBytes, clients, since } = size;
  if (bytes - recordBytes > WASTE_BYTES) return true;
  if (records > 0 || bytes === 0) return false;
  return bytes > EMPTY_BYTES || clients > EMPTY_CLIENTS || (since !== null && now - since > WEEK_MS);
}

/**
 * The epoch after history went back. It counts minutes, so that it lies above every epoch that was given out in the
 * history that is gone and that nobody here remembers.
 */
export function epochAfterRestore(epoch: number, now: number): number {
  return Math.max(epoch + 1, Math.floor(now / 60_000));
}

const MAX_HOLD_MS = 900_000;
const FORGIVEN_MS = 3_600_000;

/** Hostile frames of one owner, in a row. */
export interface Quarantines {
  readonly count: number;
  readonly lastAt: number;
}

/** Counts one more; an hour of peace forgives those before it. */
export function countQuarantine(before: Quarantines | null, now: number): Quarantines {
  const isPast = before === null || now - before.lastAt > FORGIVEN_MS || now < before.lastAt;
  return { count: (isPast ? 0 : before.count) + 1, lastAt: now };
}

/** How long the owner's next connection must wait: not at all after the first, then 2, 8, 32 s … up to a quarter of an hour. */
export function holdMs({ count, lastAt }: Quarantines, now: number): number {
  if (count < 2) return 0;
  const heldMs = Math.min(MAX_HOLD_MS, 2_000 * 4 ** Math.min(count - 2, 10));
  return Math.max(0, Math.min(heldMs, lastAt + heldMs - now));
}

const YEAR_2200_MS = 7_258_118_400_000;

/**
 * Collector clock minus device clock, from what a device says its clock shows; null for what no clock shows. A clock that
 * is wrong by years is a clock all the same: the times of its records are wrong by the same.
 */
export function offsetOf(deviceNowMs: number, now: number): number | null {
  const isTime = Number.isSafeInteger(deviceNowMs) && deviceNowMs >= 0 && deviceNowMs < YEAR_2200_MS;
  return isTime ? now - deviceNowMs : null;
}

/** True for a record that was made before history went back. */
export function isOfLostHistory(record: unknown, floor: number): boolean {
  if (typeof record !== 'object' || record === null || !('epoch' in record)) return false;
  return typeof record.epoch === 'number' && record.epoch < floor;
}
