import type { HostStore, SecretStore } from '../domain/host-ports.ts';
import type { HostConfig } from '../domain/ports.ts';

/** {@link HostStore} and {@link SecretStore} in memory, for tests of what stands above them. */
export interface MemoryHostStore extends HostStore, SecretStore {
  readonly purged: string[];
}

/** Makes an empty one. */
export function memoryHostStore(): MemoryHostStore {
  const hosts = new Map<string, HostConfig>();
  const keys = new Map<string, string>();
  const put = (map: Map<string, string>, name: string, value: string | null) => {
    if (value === null) map.delete(name);
    else map.set(name, value);
  };
  const purged: string[] = [];
  return {
    purged,
    hosts: () => [...hosts.values()],
    host: (id) => hosts.get(id) ?? null,
    insertHost: (host) => void hosts.set(host.id, host),
    updateHost: (host) => void hosts.set(host.id, host),
    removeHost: (id) => hosts.delete(id),
    purgeHost(id) {
      hosts.delete(id);
      purged.push(id);
    },
    hostKey: (id) => keys.get(id) ?? null,
    setHostKey: (id, key) => put(keys, id, key),
  };
}
