import type { Host } from '#shared/schemas/host.ts';
import type { InFlightRequest } from '#shared/schemas/in-flight.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import { useHostIntents } from '../../data/use-intents.ts';
import { useAllInFlight } from '../../data/use-live.ts';
import { useNow } from '../../data/use-now.ts';
import { formatStamp } from '../../ui/format.ts';
import type { ActFacts } from '../intents/act-need.ts';
import { cutBy } from '../intents/act-need.ts';
import { authorWords, intentTitle } from '../intents/intent-words.ts';
import type { FactsNow } from './detail-view.ts';

/** What an action is about, as this device knows it now. */
export interface Target {
  readonly host: Host | null;
  readonly facts: ActFacts;
  readonly now: FactsNow;
  /** What runs on it, where the host lists it. */
  readonly requests: readonly InFlightRequest[];
}

/** See {@link Target}. */
export function useTarget({ target }: Pick<IntentEntry, 'target'>): Target {
  const { hosts } = useFleet();
  const connection = useConnection();
  const models = useModels(target.hostId ?? '');
  const inFlight = useAllInFlight();
  const at = useNow(5000);
  const others = useHostIntents(target.hostId ?? '');
  const isLive = connection.kind === 'live';
  const host = hosts.find(({ id }) => id === target.hostId) ?? null;
  const facts: ActFacts = {
    host,
    models,
    inFlight: inFlight.find(({ hostId }) => hostId === target.hostId) ?? null,
    isLive,
  };
  const acting = others.find(({ state }) => state === 'claimed' || state === 'running');
  const cut = cutBy(facts, target.modelId ?? null);
  const model = models.find(({ modelId }) => modelId === target.modelId);
  const asOf = connection.dataAsOf === null ? 'Last known' : `As of ${formatStamp(connection.dataAsOf, at)}`;
  return {
    host,
    facts,
    requests: cut.requests,
    now: {
      liveness: host === null ? null : host.paused ? 'paused' : host.liveness,
      modelState: model?.state ?? null,
      inFlight: cut.count,
      lease: !isLive
        ? null
        : acting === undefined
          ? 'nothing'
          : `${intentTitle(acting)} (${authorWords(acting)})`,
      head: isLive ? 'Now, live' : asOf,
    },
  };
}
