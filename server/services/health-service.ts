import { healthStatus } from '#shared/lib/health-words.ts';
import type { Health, HealthCheck } from '#shared/schemas/info.ts';
import { checkOf } from '../domain/health/check.ts';
import type { Clock, HealthSource } from '../domain/ports.ts';

/** Everything that can say how it is, at one moment. */
export interface HealthReport {
  readonly status: Health['status'];
  readonly checkedAt: number;
  readonly checks: readonly HealthCheck[];
}

/** How the server is: every subsystem that can say so, and the hosts. */
export class HealthService {
  readonly #sources: readonly HealthSource[];
  readonly #clock: Pick<Clock, 'now'>;

  constructor(sources: readonly HealthSource[], clock: Pick<Clock, 'now'>) {
    this.#sources = sources;
    this.#clock = clock;
  }

  /** All checks with the status they add up to. */
  report(): HealthReport {
    const checks = this.#sources.flatMap((source) => checksOf(source));
    return { status: healthStatus(checks), checkedAt: this.#clock.now(), checks };
  }
}

function checksOf(source: HealthSource): readonly HealthCheck[] {
  try {
    return source.health();
  } catch (error) {
    // A subsystem that cannot even say how it is has failed; the report must not fail with it.
    return [
      checkOf('store', 'Store').fail({
        detail: error instanceof Error ? error.message : String(error),
        remediation: 'See the log of the server.',
      }),
    ];
  }
}
