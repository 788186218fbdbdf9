import { type Reading, usedShare } from './budget.ts';
import { codecBench } from './codec-bench.ts';
import { documentBench } from './document-bench.ts';
import { historyBench } from './history-bench.ts';

const PARTS = [codecBench, documentBench, historyBench];

/**
 * Prints every budget with what this run measured and how much of it is used. `npm run bench -- rows` runs the parts
 * whose name holds that word. Exit code 1 when a budget is exceeded.
 */
async function main(only: string | undefined): Promise<void> {
  let exceeded = 0;
  for (const part of PARTS.filter(({ name }) => only === undefined || name.includes(only))) {
    process.stdout.write(`\n${part.name}\n`);
    for (const reading of await part.run()) {
      process.stdout.write(`${line(reading)}\n`);
      if (usedShare(reading) > 1) exceeded += 1;
    }
  }
  process.stdout.write(exceeded === 0 ? '\nevery budget kept\n' : `\n${exceeded} over budget\n`);
  process.exitCode = exceeded === 0 ? 0 : 1;
}

function line(reading: Reading): string {
  const { name, unit, limit, bound, measured, note } = reading;
  const share = usedShare(reading);
  const mark = share > 1 ? 'OVER' : 'ok';
  const limits = `${bound === 'at-most' ? '≤' : '≥'} ${round(limit)} ${unit}`;
  const cells = [
    `  ${name}`.padEnd(52),
    round(measured).padStart(10),
    limits.padEnd(24),
    `${share.toFixed(2)}×`.padStart(7),
    mark,
  ];
  return `${cells.join('  ')}${note === undefined ? '' : `  (${note})`}`;
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}

await main(process.argv[2]);
