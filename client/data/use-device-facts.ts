import { useQuery } from '@tanstack/react-query';
import { isSecure } from './environment.ts';
import { queryClient } from './query-client.ts';
import { serverOffsetMs } from './server-clock.ts';
import { useStorageWishes } from './storage-wishes.ts';
import { useConnection } from './use-connection.ts';
import { useHistoryDays } from './use-history-days.ts';
import { usePersistOutcome } from './use-install.ts';
import type { ConnectionState, PersistOutcome } from './types.ts';

/** `none`: nothing starts the app without network. `waiting`: a newer version is there and not started. */
export type WorkerState = 'unsupported' | 'none' | 'installing' | 'active' | 'waiting';

/** What this device says of itself. */
export interface DeviceFacts {
  readonly appVersion: string;
  readonly worker: WorkerState;
  /** Sealed history on this device. */
  readonly copyBytes: number;
  readonly budgetBytes: number;
  readonly persist: PersistOutcome;
  readonly storage: ConnectionState['storage'];
  readonly storageError: string | null;
  /** Collector's clock minus this device's, as last measured. */
  readonly clockOffsetMs: number;
}

/** It is registered once the page stands; one that is not there by then will not come. */
const REGISTERED_BY_MS = 15_000;
const LOOK_MS = 2_000;

/** The facts of this device, looked at again and again while they are shown. */
export function useDeviceFacts(): DeviceFacts {
  const { storage, storageError } = useConnection();
  const { heldBytes } = useHistoryDays();
  const { budgetBytes } = useStorageWishes();
  const persist = usePersistOutcome();
  const { data: worker } = useQuery<WorkerState>(
    {
      queryKey: ['worker-state'],
      queryFn: workerState,
      refetchInterval: LOOK_MS,
      initialData: isSecure ? 'installing' : 'unsupported',
    },
    queryClient,
  );
  return {
    appVersion: import.meta.env.DROVER_VERSION ?? 'unknown',
    worker,
    copyBytes: heldBytes,
    budgetBytes,
    persist,
    storage,
    storageError,
    clockOffsetMs: serverOffsetMs(),
  };
}

async function workerState(): Promise<WorkerState> {
  if (!isSecure || !('serviceWorker' in navigator)) return 'unsupported';
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  if (registration === undefined) return performance.now() < REGISTERED_BY_MS ? 'installing' : 'none';
  if (registration.waiting !== null) return 'waiting';
  return registration.active === null ? 'installing' : 'active';
}
