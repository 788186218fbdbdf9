import type { HealthCheck } from '#shared/schemas/info.ts';

/** What is wrong, and what a person can do about it. */
export interface Trouble {
  readonly detail: string;
  readonly remediation: string;
}

/** Makes the checks of one subject. */
export interface CheckMaker {
  ok(detail: string): HealthCheck;
  warn(trouble: Trouble): HealthCheck;
  fail(trouble: Trouble): HealthCheck;
}

/** The checks of one subject: `name` for scripts, `title` for people; `about` where it is one host. */
export function checkOf(
  name: string,
  title: string,
  about: Pick<HealthCheck, 'hostId' | 'standing'> = {},
): CheckMaker {
  const of = { name, title, ...about };
  return {
    ok: (detail) => ({ ...of, state: 'ok', detail, remediation: null }),
    warn: (trouble) => ({ ...of, state: 'warn', ...trouble }),
    fail: (trouble) => ({ ...of, state: 'fail', ...trouble }),
  };
}

/** `1 socket`, `4 sockets`, `3,412,008 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
