import type { LlamaSwapControl } from '../domain/intent-ports.ts';
import { freeLease, grantLease, holdsLease, LEASE_MS, renewLease } from '../domain/lease-policy.ts';
import type { Lease, LeaseRequest } from '../domain/lease-policy.ts';
import type { Clock, HostConfig, Log } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import type { IntentLedger, LedgerChanges } from './intent-ledger.ts';

const HEARTBEAT_MS = LEASE_MS / 3;

/** What a gate is made of. */
export interface HostGateOptions {
  readonly store: Pick<Store, 'intents' | 'transact'>;
  readonly ledger: IntentLedger;
  readonly controlFor: (host: HostConfig) => LlamaSwapControl;
  readonly clock: Clock;
  readonly log: Log;
}

/** The right to act on a host, and the only thing that can. */
export interface HostAccess {
  readonly lease: Lease | null;
  readonly control: LlamaSwapControl;
  /** Aborted when the lease went to somebody else. */
  readonly lost: AbortSignal;
  /** True while this access may act: to be looked at right before an effect. */
  holds(): boolean;
  /** Ends heartbeat and connections. The lease itself is given back in the transaction that says what came of it. */
  leave(): void;
}

/** The one gate for everything that changes what runs on a host: a lease with a heartbeat and a fencing token. */
export class HostGate {
  readonly #options: HostGateOptions;
  readonly #inside = new Set<HostAccess>();

  constructor(options: HostGateOptions) {
    this.#options = options;
  }

  /** At start: what an earlier process held is free. */
  start(): void {
    const { store, ledger } = this.#options;
    ledger.commit((changes) => {
      for (const lease of store.intents.heldLeases()) changes.lease({ ...lease, holder: null });
    });
  }

  /** Ends every access; leases stay as they are, and end with the next start. */
  stop(): void {
    for (const access of this.#inside) access.leave();
  }

  /** Takes the lease inside the caller's commit; null while another holds it. */
  grant(request: LeaseRequest, changes: Pick<LedgerChanges, 'lease'>): Lease | null {
    const { store, clock } = this.#options;
    const granted = grantLease(store.intents.lease(request.hostId), request, clock.now());
    if (granted) changes.lease(granted);
    return granted;
  }

  /** Gives a lease back inside the caller's commit; one that is another's already stays there. */
  free(lease: Lease | null, changes: Pick<LedgerChanges, 'lease'>): void {
    if (lease === null) return;
    const freed = freeLease(this.#options.store.intents.lease(lease.hostId), lease.token);
    if (freed) changes.lease(freed);
  }

  /** Enters with a lease that was committed, or without one where the order is to stop something. */
  enter(host: HostConfig, lease: Lease | null): HostAccess {
    const { clock, controlFor, store, log } = this.#options;
    const lost = new AbortController();
    const control = controlFor(host);
    const holds = (): boolean =>
      !lost.signal.aborted &&
      (lease === null || holdsLease(store.intents.lease(lease.hostId), lease.token, clock.now()));
    const stopHeartbeat =
      lease === null
        ? () => {}
        : clock.every(HEARTBEAT_MS, () => {
            if (!this.#renew(lease)) lost.abort();
          });
    let inside = true;
    const access: HostAccess = {
      lease,
      control,
      lost: lost.signal,
      holds,
      leave: () => {
        if (!inside) return;
        inside = false;
        this.#inside.delete(access);
        stopHeartbeat();
        control
          .close()
          .catch((error: unknown) => log.warn({ hostId: host.id, error: String(error) }, 'closing failed'));
      },
    };
    this.#inside.add(access);
    return access;
  }

  /** For whoever is no intent: takes the lease in a commit of its own and enters. Null while another holds it. */
  acquireHostAccess(host: HostConfig, claim: Omit<LeaseRequest, 'hostId'>): HostAccess | null {
    const { ledger } = this.#options;
    const lease = ledger.commit((changes) => this.grant({ hostId: host.id, ...claim }, changes));
    return lease && this.enter(host, lease);
  }

  /** False when the lease went to another. A store that fails says nothing of that: the lease runs on until it ends. */
  #renew(lease: Lease): boolean {
    const { store, clock, log } = this.#options;
    try {
      return store.transact(() => {
        const renewed = renewLease(store.intents.lease(lease.hostId), lease.token, clock.now());
        if (renewed) store.intents.putLease(renewed);
        return renewed !== null;
      });
    } catch (error) {
      log.warn({ hostId: lease.hostId, error: String(error) }, 'a heartbeat could not be saved');
      return true;
    }
  }
}
