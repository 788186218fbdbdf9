import type { Identity } from './domain/identity.ts';
import type { AuthService } from './services/auth-service.ts';
import type { Collector } from './services/collector.ts';
import type { HostService } from './services/host-service.ts';
import type { LiveHub } from './services/live-hub.ts';
import type { PairingService } from './services/pairing-service.ts';
import type { SyncServer } from './services/sync-server.ts';

/** Connectors and live values follow the registry. */
export function followRegistry(
  hosts: HostService,
  collector: Collector,
  live: readonly (Pick<LiveHub, 'remove'> & { add?(hostId: string): void })[],
): void {
  let known = new Set(hosts.configs().map((host) => host.id));
  hosts.onChanged((all) => {
    for (const { id } of all) for (const hub of live) hub.add?.(id);
    collector.setHosts(all);
    const now = new Set(all.map((host) => host.id));
    for (const id of known) if (!now.has(id)) for (const hub of live) hub.remove(id);
    known = now;
  });
}

/** Pages hear at once that somebody waits to be let in, or that the list of devices is another. */
export function tellOfPeople(parts: {
  readonly auth: AuthService;
  readonly pairing: PairingService;
  readonly sync: SyncServer;
}): void {
  const { auth, pairing, sync } = parts;
  const isAdmin = ({ role }: Identity) => role === 'admin';
  pairing.onRequestsChanged((madeBy) =>
    sync.tell('pairing-requests', (identity) => isAdmin(identity) || identity.id === madeBy),
  );
  const devicesChanged = () => sync.tell('devices', isAdmin);
  pairing.onPaired(devicesChanged);
  auth.onEnded(devicesChanged);
  auth.onChanged(devicesChanged);
}
