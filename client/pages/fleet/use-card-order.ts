import { useState } from 'react';
import type { Host } from '#shared/schemas/host.ts';
import { keptOrder, misplacedCount, sortedIds } from './card-order.ts';

/** Order of the cards, set on arrival; see `card-order.ts`. */
export interface CardOrder {
  readonly ids: readonly string[];
  readonly misplaced: number;
  readonly resort: () => void;
}

/** Keeps the order of the cards while the page is open. */
export function useCardOrder(hosts: readonly Host[]): CardOrder {
  const [shown, setShown] = useState<readonly string[]>([]);
  const ids = keptOrder(shown, hosts);
  if (ids !== shown) setShown(ids);
  return { ids, misplaced: misplacedCount(ids, hosts), resort: () => setShown(sortedIds(hosts)) };
}
