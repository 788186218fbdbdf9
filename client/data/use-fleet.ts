import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { useReadable } from './cell.ts';
import { fleetCell, hostById, modelsByHost, modelsCell } from './fleet-state.ts';
import type { Fleet } from './types.ts';

/** The hosts of the fleet, from the copy on this device first. */
export function useFleet(): Fleet {
  return useReadable(fleetCell);
}

/** One host, or null when the fleet has none of that id. */
export function useHost(hostId: string): Host | null {
  return useReadable(hostById.at(hostId));
}

/** Models of one host, or of all when left out. Past 500 models on a host these are the ones not stopped. */
export function useModels(hostId?: string): readonly Model[] {
  return useReadable(hostId === undefined ? modelsCell : modelsByHost.at(hostId));
}
