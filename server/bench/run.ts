import { loadavg } from 'node:os';
import { type BenchPart, type Reading, usedShare } from './budget.ts';
import { firstLoadBench } from './browser/first-load-bench.ts';
import { monthBench } from './browser/month-bench.ts';
import { replicaBench } from './browser/replica-bench.ts';
import { warmStartBench } from './browser/warm-start-bench.ts';
import { chartQueryBench } from './chart-query-bench.ts';
import { codecBench } from './codec-bench.ts';
import { decodeBench } from './decode-bench.ts';
import { documentBench } from './document-bench.ts';
import { fanOutBench } from './fan-out-bench.ts';
import { herdBench } from './herd-bench.ts';
import { historyQueryBench } from './history-query-bench.ts';
import { idleBench } from './idle-bench.ts';
import { ingestBench } from './ingest-bench.ts';
import { intentBench } from './intent-bench.ts';
import { performanceBench } from './performance-bench.ts';
import { reconnectBench } from './reconnect-bench.ts';
import { Scratch } from './scratch.ts';
import { slowClientBench } from './slow-client-bench.ts';
import { tailBench } from './tail-bench.ts';
import { unloadBench } from './unload-bench.ts';

const PARTS: readonly BenchPart[] = [
  codecBench,
  decodeBench,
  performanceBench,
  chartQueryBench,
  documentBench,
  tailBench,
  reconnectBench,
  ingestBench,
  historyQueryBench,
  fanOutBench,
  herdBench,
  slowClientBench,
  intentBench,
  unloadBench,
  idleBench,
  firstLoadBench,
  warmStartBench,
  replicaBench,
  monthBench,
];

/**
 * Prints every budget with what this run measured and how much of it is used. `npm run bench -- rows` runs the parts
 * whose name holds that word. Exit code 1 when a budget is exceeded or a part fails.
 */
async function main(only: string | undefined): Promise<void> {
  const parts = PARTS.filter(({ name }) => only === undefined || name.includes(only));
  if (parts.length === 0) {
    const names = PARTS.map(({ name }) => `  ${name}`).join('\n');
    process.stderr.write(`no part has "${only}" in its name; there are:\n${names}\n`);
    process.exitCode = 2;
    return;
  }
  const began = performance.now();
  const scratch = new Scratch();
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    void scratch.end().finally(() => process.exit(130));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const readings: Reading[] = [];
  let failed = 0;
  try {
    for (const part of parts) {
      if (isStopped) break;
      process.stdout.write(`\n${part.name}  (load ${loadavg()[0]?.toFixed(1)})\n`);
      try {
        const measured = await part.run(scratch);
        for (const reading of measured) process.stdout.write(`${line(reading)}\n`);
        readings.push(...measured);
      } catch (error) {
        failed += 1;
        process.stdout.write(`  failed: ${error instanceof Error ? error.stack : String(error)}\n`);
      }
    }
  } finally {
    await scratch.end();
  }
  const exceeded = readings.filter((reading) => (usedShare(reading) ?? 0) > 1);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`\n${summary(exceeded, failed)}; ${readings.length} readings in ${seconds} s\n`);
  for (const reading of exceeded) process.stdout.write(`${line(reading)}\n`);
  process.exitCode = exceeded.length + failed === 0 ? 0 : 1;
}

function summary(exceeded: readonly Reading[], failed: number): string {
  if (exceeded.length + failed === 0) return 'every budget kept';
  return `${exceeded.length} over budget, ${failed} parts failed`;
}

function line(reading: Reading): string {
  const { name, unit, limit, bound, measured, note } = reading;
  const share = usedShare(reading);
  const limits = bound === 'none' ? unit : `${bound === 'at-most' ? '≤' : '≥'} ${round(limit)} ${unit}`;
  const cells = [
    `  ${name}`.padEnd(58),
    round(measured).padStart(10),
    limits.padEnd(22),
    (share === null ? '' : `${share.toFixed(2)}×`).padStart(7),
    (share === null ? '' : share > 1 ? 'OVER' : 'ok').padEnd(4),
  ];
  return `${cells.join('  ')}${note === undefined ? '' : `  (${note})`}`.trimEnd();
}

function round(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(2);
}

await main(process.argv[2]);
