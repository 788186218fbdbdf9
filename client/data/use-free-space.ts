import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

const LOOK_MS = 30_000;

/** Room this browser says it still has for this address, looked at again and again; null where it does not say. */
export function useFreeSpace(): number | null {
  const { data = null } = useQuery<number | null>(
    { queryKey: ['free-space'], queryFn: freeSpace, refetchInterval: LOOK_MS },
    queryClient,
  );
  return data;
}

async function freeSpace(): Promise<number | null> {
  if (!('storage' in navigator)) return null;
  const { quota, usage } = await navigator.storage.estimate().catch((): StorageEstimate => ({}));
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}
