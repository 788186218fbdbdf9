import type { HostTestResult } from '#shared/schemas/host-input.ts';
import type { HostConfig } from './ports.ts';

/** What is to be written with a change of the registry, in its transaction: both are kept, or neither. */
export type AlongWith = () => void;

/** The registry of hosts. Calls are synchronous, each one transaction. */
export interface HostStore {
  /** Hosts that are configured now, in the order they were added. */
  hosts(): readonly HostConfig[];
  host(id: string): HostConfig | null;
  /** Adds a host. An id that was removed before is allowed and starts a new id epoch, since it may be another machine. */
  insertHost(host: HostConfig, now: number, along?: AlongWith): void;
  /** Replaces everything but the id. */
  updateHost(host: HostConfig, along?: AlongWith): void;
  /** Takes the host out of the registry; its history stays. False when there is none. */
  removeHost(id: string, now: number, along?: AlongWith): boolean;
  /** Removes the host and everything recorded of it, sealed segments included: for demo hosts only. */
  purgeHost(id: string, now: number): void;
}

/** Small named values that outlive the process, as JSON text. */
export interface SettingStore {
  setting(name: string): string | null;
  /** Null removes it. */
  setSetting(name: string, value: string | null): void;
}

/** Keys of hosts, kept outside the database and its backups. */
export interface SecretStore {
  hostKey(hostId: string): string | null;
  /** Null removes it. */
  setHostKey(hostId: string, key: string | null): void;
}

/** Tries an address as the Test button does: `/api/events` first, nothing that wakes or loads anything. */
export interface HostTester {
  test(target: { readonly url: string; readonly key: string | null }): Promise<HostTestResult>;
}
