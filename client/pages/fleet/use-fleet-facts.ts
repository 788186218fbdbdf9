import type { InFlight } from '#shared/schemas/in-flight.ts';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useAllInFlight } from '../../data/use-live.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import type { HostFacts } from './fleet-view.ts';

/** Hosts with their models and what runs on them. */
export function useFleetFacts(): readonly HostFacts[] {
  const { hosts } = useFleet();
  const models = useModels();
  const inFlight = useLastInFlight();
  const modelsByHost = Map.groupBy(models, (model) => model.hostId);
  const inFlightByHost = new Map(inFlight.map((entry) => [entry.hostId, entry]));
  return hosts.map((host) => ({
    host,
    models: modelsByHost.get(host.id) ?? [],
    inFlight: inFlightByHost.get(host.id) ?? null,
  }));
}

/**
 * What runs, and for the minute after the collector is gone what ran: the cards say as of when, and drop it once they
 * speak of the past.
 */
function useLastInFlight(): readonly InFlight[] {
  const { kind } = useConnection();
  const current = useAllInFlight();
  const [held, setHeld] = useState(current);
  if (kind === 'live' && held !== current) setHeld(current);
  return kind === 'live' ? current : held;
}
