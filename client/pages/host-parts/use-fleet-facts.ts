import type { InFlight } from '#shared/schemas/in-flight.ts';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useAllInFlight } from '../../data/use-live.ts';
import { useFleet, useHost, useModels } from '../../data/use-fleet.ts';
import type { HostFacts } from './host-view.ts';

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

/** One host with its models and what runs on it; null when the fleet has none of that id. */
export function useHostFacts(hostId: string): HostFacts | null {
  const host = useHost(hostId);
  const models = useModels(hostId);
  const inFlight = useLastInFlight().find((entry) => entry.hostId === hostId) ?? null;
  return host === null ? null : { host, models, inFlight };
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
