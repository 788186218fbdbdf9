import { useAllInFlight } from '../../data/use-live.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import type { HostFacts } from './fleet-view.ts';

/** Hosts with their models and what runs on them. */
export function useFleetFacts(): readonly HostFacts[] {
  const { hosts } = useFleet();
  const models = useModels();
  const inFlight = useAllInFlight();
  const modelsByHost = Map.groupBy(models, (model) => model.hostId);
  const inFlightByHost = new Map(inFlight.map((entry) => [entry.hostId, entry]));
  return hosts.map((host) => ({
    host,
    models: modelsByHost.get(host.id) ?? [],
    inFlight: inFlightByHost.get(host.id) ?? null,
  }));
}
