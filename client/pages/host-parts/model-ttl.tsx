import { useLastUses } from '../../data/last-uses.ts';
import { useNow } from '../../data/use-now.ts';
import { ExpiryRing } from '../../ui/expiry-ring.tsx';
import { formatAge } from '../../ui/format.ts';
import type { TtlFacts } from './ttl-view.ts';
import { ttlView } from './ttl-view.ts';

/** See {@link ModelTtl}. */
export interface ModelTtlProps {
  readonly facts: TtlFacts;
}

/** How long an idle model stays loaded: a ring that empties, or the time that is configured. */
export function ModelTtl({ facts }: ModelTtlProps) {
  const view = ttlView(facts, useLastUses(), useNow(1000));
  switch (view.kind) {
    case 'never':
      return <span>no TTL</span>;
    case 'configured':
      return <span title="Unloaded so long after its last request.">TTL {formatAge(view.ttlMs)}</span>;
    case 'left':
      return (
        <span title="An estimate: counted from the last request that was recorded. Others put it off.">
          <ExpiryRing
            leftMs={view.leftMs}
            wholeMs={view.ttlMs}
            words={`TTL ~${formatAge(view.leftMs)}`}
            look="line"
          />
        </span>
      );
  }
}
