import type { HealthCheck } from '#shared/schemas/info.ts';
import { checkOf } from './check.ts';

const DATABASE = checkOf('database', 'Database file');

/** What SQLite's quick check said of the file: `ok`, or the first thing that is wrong with it. */
export function databaseCheck(verdict: string): HealthCheck {
  if (verdict === 'ok') return DATABASE.ok("Sound: SQLite's quick check found nothing wrong.");
  return DATABASE.fail({
    detail: `Damaged: ${verdict}`,
    remediation: 'Stop the server and restore the last backup with "drover restore FILE".',
  });
}
