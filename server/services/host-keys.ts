import type { HostTestResult } from '#shared/schemas/host-input.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf } from '../domain/health/check.ts';
import type { HostStore, SecretStore } from '../domain/host-ports.ts';

/** Where keys of hosts come from. */
export interface HostKeysOptions {
  readonly store: Pick<HostStore, 'host' | 'hosts'>;
  readonly secrets: Pick<SecretStore, 'hostKey'>;
  /** Names environment variables that `env:NAME` may refer to. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const KEYS = checkOf('keys', 'Keys of hosts');

/** The keys Drover signs in to hosts with: stored ones, and those that an environment variable holds. */
export class HostKeys {
  readonly #options: HostKeysOptions;

  constructor(options: HostKeysOptions) {
    this.#options = options;
  }

  /** The key to send to a host, looked up at each connect; null when it has none or its variable is not set. */
  of(hostId: string): string | null {
    const host = this.#options.store.host(hostId);
    if (host?.keySource === 'stored') return this.#options.secrets.hostKey(hostId);
    return isVariable(host?.keySource) ? this.referred(host.keySource) : null;
  }

  /** What `env:NAME` refers to; null when that is not set. */
  referred(reference: string): string | null {
    const name = reference.slice('env:'.length);
    return Object.hasOwn(this.#options.env, name) ? this.#options.env[name] || null : null;
  }

  /**
   * The key for a test: as given, or the host's own one. Returns the test's result instead where a variable that should
   * hold it is not set.
   */
  forTest(
    url: string,
    given: {
      readonly key?: string | undefined;
      readonly keyRef?: string | undefined;
      readonly hostId?: string | undefined;
    },
  ): { readonly key: string | null } | HostTestResult {
    if (given.key !== undefined) return { key: given.key };
    if (given.keyRef !== undefined) {
      const key = this.referred(given.keyRef);
      return key === null ? missingVariable(given.keyRef) : { key };
    }
    const host = given.hostId === undefined ? null : this.#options.store.host(given.hostId);
    // The stored key goes only where it went before: a Test must not be a way to read it on another machine.
    if (host === null || new URL(host.url).origin !== new URL(url).origin) return { key: null };
    const key = this.of(host.id);
    return key === null && isVariable(host.keySource) ? missingVariable(host.keySource) : { key };
  }

  /** Keys that are looked for in a variable nobody set: such a host is asked without one, and may even answer. */
  health(): readonly HealthCheck[] {
    const keyless = this.#options.store
      .hosts()
      .filter(({ keySource }) => isVariable(keySource) && this.referred(keySource) === null);
    if (keyless.length === 0) return [];
    const named = keyless.map(({ id, keySource }) => `${keySource?.slice('env:'.length)} (key of ${id})`);
    return [
      KEYS.warn({
        detail: `The server has no environment variable ${named.join(', ')}.`,
        remediation: 'Set it where the server is started, and restart Drover.',
      }),
    ];
  }
}

function isVariable(keySource: string | null | undefined): keySource is string {
  return keySource?.startsWith('env:') === true;
}

function missingVariable(reference: string): HostTestResult {
  return {
    verdict: 'unauthorized',
    detail: `The server has no environment variable ${reference.slice('env:'.length)}; set it and restart Drover.`,
  };
}
