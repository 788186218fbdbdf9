import type { Host, HostPatch } from '#shared/schemas/host.ts';
import { actorOf, type AuditEntry, type AuditLog } from '../domain/audit-log.ts';
import type { Identity } from '../domain/identity.ts';
import type { Clock, Log } from '../domain/ports.ts';

/** What the record needs. */
export interface HostAuditOptions {
  readonly audit: Pick<AuditLog, 'append'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Records who added, changed and removed hosts over HTTP. It writes after the registry's own commit, which publishes
 * what it committed and therefore cannot wait for another; a record that cannot be written is in the server's log.
 */
export class HostAudit {
  readonly #options: HostAuditOptions;

  constructor(options: HostAuditOptions) {
    this.#options = options;
  }

  created(by: Identity, host: Host): void {
    this.#record(by, 'host.create', host.id, { label: host.label, url: host.url });
  }

  /** Which fields were given, and the new values of those that are no secret. */
  changed(by: Identity, hostId: string, patch: HostPatch): void {
    const { label, url, paused } = patch;
    this.#record(by, 'host.change', hostId, { fields: Object.keys(patch).sort(), label, url, paused });
  }

  removed(by: Identity, hostId: string): void {
    this.#record(by, 'host.remove', hostId, null);
  }

  #record(by: Identity, action: string, target: string, detail: AuditEntry['detail']): void {
    const { audit, clock, log } = this.#options;
    const entry: AuditEntry = { at: clock.now(), actor: actorOf(by), action, target, detail };
    try {
      audit.append(entry);
    } catch (error) {
      log.error({ ...entry, error: String(error) }, 'this could not be written to the audit log');
    }
  }
}
