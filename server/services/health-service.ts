import type { Health, HealthCheck } from '#shared/schemas/info.ts';
import type { HealthSource } from '../domain/ports.ts';

/** Name of the check whose failure means that Drover as a whole has failed. */
const STORE_CHECK = 'store';

/** How the server is: every subsystem that can say so, and the hosts. */
export class HealthService {
  readonly #sources: readonly HealthSource[];

  constructor(sources: readonly HealthSource[]) {
    this.#sources = sources;
  }

  /** All checks with the status they add up to. */
  report(): { readonly status: Health['status']; readonly checks: readonly HealthCheck[] } {
    const checks = this.#sources.flatMap((source) => checksOf(source));
    return { status: overallStatus(checks), checks };
  }
}

/** `failed` when the store does, `degraded` when any check warns or fails, else `ok`. */
export function overallStatus(checks: readonly HealthCheck[]): Health['status'] {
  if (checks.some((check) => check.name === STORE_CHECK && check.state === 'fail')) return 'failed';
  return checks.every((check) => check.state === 'ok') ? 'ok' : 'degraded';
}

function checksOf(source: HealthSource): readonly HealthCheck[] {
  try {
    return source.health();
  } catch (error) {
    // A subsystem that cannot even say how it is has failed; the report must not fail with it.
    return [
      {
        name: STORE_CHECK,
        state: 'fail',
        detail: error instanceof Error ? error.message : String(error),
        remediation: 'See the log of the server.',
      },
    ];
  }
}
