import * as z from 'zod/mini';
import { createCell, useReadable } from './cell.ts';
import { DEFAULT_BUDGET_BYTES } from './default-budget.ts';

/** What a person wants kept on this device; days are those of its zone, `YYYY-MM-DD`. */
const storageWishes = z.object({
  /** How much sealed history this device keeps at most; pinned days stay past it. */
  budgetBytes: z.int().check(z.minimum(1_000_000), z.maximum(100_000_000_000)),
  /** Kept whatever their age. */
  pinnedDays: z.array(z.string()),
  /** Asked for while the collector was away: fetched when it is back. */
  wantedDays: z.array(z.string()),
  /** Taken off this device by hand: not fetched again until somebody asks. */
  skippedDays: z.array(z.string()),
});
/** See {@link storageWishes}. */
export type StorageWishes = Readonly<z.infer<typeof storageWishes>>;

/** Before anybody wished for anything. */
export const NO_WISHES: StorageWishes = {
  budgetBytes: DEFAULT_BUDGET_BYTES,
  pinnedDays: [],
  wantedDays: [],
  skippedDays: [],
};

const KEY = 'drover.storage';

/** The wishes as they stand, in every tab. */
export const storageWishesCell = createCell<StorageWishes>(read());

/** See {@link storageWishesCell}. */
export function useStorageWishes(): StorageWishes {
  return useReadable(storageWishesCell);
}

/** Changes some of them; what another tab wished meanwhile counts too. */
export function changeStorageWishes(change: (wishes: StorageWishes) => Partial<StorageWishes>): void {
  const wishes = read(storageWishesCell.get());
  const next = { ...wishes, ...change(wishes) };
  storageWishesCell.set(next);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // A browser that stores nothing keeps the wish until the page is left.
  }
}

/** Forgets which days were wished for, as when the device left the fleet; the budget is the device's own and stays. */
export function forgetWishedDays(): void {
  changeStorageWishes(() => ({ pinnedDays: [], wantedDays: [], skippedDays: [] }));
}

/** Follows the wishes of other tabs; ends with `signal`. */
export function followStorageWishes(signal: AbortSignal): void {
  addEventListener(
    'storage',
    (event) => {
      if (event.key === KEY) storageWishesCell.set(read());
    },
    { signal },
  );
}

/** `days` with `day`, or without it. */
export function withDay(days: readonly string[], day: string, isIn: boolean): string[] {
  const others = days.filter((other) => other !== day);
  return isIn ? [...others, day] : others;
}

/** What is stored; `otherwise` where nothing is, or nothing can be. */
function read(otherwise: StorageWishes = NO_WISHES): StorageWishes {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? otherwise : (storageWishes.safeParse(JSON.parse(text)).data ?? NO_WISHES);
  } catch {
    return otherwise;
  }
}
