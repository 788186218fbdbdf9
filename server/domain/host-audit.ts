import type { HostPatch } from '#shared/schemas/host-input.ts';
import type { AuditEntry } from './audit-log.ts';
import type { HostConfig } from './ports.ts';

/** What the audit log keeps of a change of the registry, but for who and when. Keys of hosts are never in it. */
export type HostChange = Pick<AuditEntry, 'action' | 'target' | 'detail'>;

/** A host was added. */
export function hostCreated({ id, label, url }: HostConfig): HostChange {
  return { action: 'host.create', target: id, detail: { label, url } };
}

/** Which fields were given, and the new values of those that are no secret. */
export function hostChanged(hostId: string, patch: HostPatch): HostChange {
  const { label, url, paused } = patch;
  const detail = { fields: Object.keys(patch).sort(), label, url, paused };
  return { action: 'host.change', target: hostId, detail };
}

/** A host was taken out. */
export function hostRemoved(hostId: string): HostChange {
  return { action: 'host.remove', target: hostId, detail: null };
}
