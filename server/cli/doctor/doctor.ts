import { failedFirst, healthStatus, healthSummary, healthText } from '#shared/lib/health-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { readMachineFacts } from '../../adapters/machine-facts.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { machineChecks } from '../../domain/health/machine-checks.ts';
import { serverCheck } from '../../domain/health/server-check.ts';
import { expectWords, type Command } from '../command.ts';
import { lookForServer } from './look-for-server.ts';
import { fileChecks, storedChecks } from './stored-checks.ts';

/**
 * `drover doctor`: what is wrong and what to do about it. It changes nothing. While the server runs these are its own
 * checks, word for word as the page Health shows them; while it does not, those that the files can answer.
 */
export const doctorCommand: Command = {
  help: '  doctor                                   what is wrong and what to do, as the page Health says it',
  needsData: false,
  async run({ words, config, databasePath }) {
    expectWords({ words }, 0, 'drover doctor');
    const now = systemClock.now();
    const { facts, checks: answered } = await lookForServer(config);
    const others = (): readonly HealthCheck[] => [
      ...fileChecks({ config, databasePath }),
      ...(answered ?? [
        ...storedChecks({ config, databasePath, env: process.env }, now),
        ...machineChecks(readMachineFacts(config, process.env)),
      ]),
    ];
    // To whom the folder is closed, all of it would look missing.
    const checks = failedFirst([serverCheck(facts, now), ...(facts.kind === 'unreadable' ? [] : others())]);
    const failed = checks.some(({ state }) => state === 'fail');
    return {
      json: { status: healthStatus(checks), checkedAt: now, checks },
      text: `${healthText(checks)}\n\n${healthSummary(checks)}`,
      exitCode: failed ? 1 : 0,
    };
  },
};
