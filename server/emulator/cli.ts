import { parseArgs } from 'node:util';
import { EmulatedHost } from './emulated-host.ts';
import { ERAS, parseEra } from './era.ts';
import { numberedModels } from './numbered-models.ts';

const USAGE = `usage: npm run emulator -- [--port 9001] [--era v250] [--models 6] [--rate 0] [--gpus 2] [--key KEY] [--profile NAME]
eras: ${ERAS.join(' ')}
One emulated llama-swap on 127.0.0.1. --rate is requests finished per second. Script it under /_emulator/.
`;

async function main(): Promise<number> {
  const parsed = readFlags();
  if (typeof parsed === 'string') {
    process.stderr.write(`${parsed}\n${USAGE}`);
    return 2;
  }
  const { port, era, models, rate, gpus, keys, profiles } = parsed;
  const host = new EmulatedHost({
    era,
    port,
    gpus,
    config: { models: numberedModels(models), apiKeys: keys, profiles: profiles.map((id) => ({ id })) },
  });
  await host.start();
  if (rate > 0) host.startTraffic({ ratePerSecond: rate, firstModelId: 'demo-1' });
  process.stdout.write(
    `${JSON.stringify({ event: 'listening', url: host.url, pid: process.pid, era, control: `${host.url}/_emulator/effects` })}\n`,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await host.stop();
  return 0;
}

function readFlags() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        port: { type: 'string', default: '9001' },
        era: { type: 'string', default: 'v250' },
        models: { type: 'string', default: '6' },
        rate: { type: 'string', default: '0' },
        gpus: { type: 'string', default: '2' },
        key: { type: 'string', multiple: true, default: [] },
        profile: { type: 'string', multiple: true, default: [] },
      },
    }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const era = parseEra(values.era);
  if (!era.ok) return era.message;
  const port = wholeNumber(values.port, 0, 65_535);
  if (port === null) return '--port must be a whole number from 0 to 65535';
  const models = wholeNumber(values.models, 1, 20_000);
  if (models === null) return '--models must be a whole number from 1 to 20000';
  const gpus = wholeNumber(values.gpus, 0, 4);
  if (gpus === null) return '--gpus must be a whole number from 0 to 4';
  const rate = Number(values.rate);
  if (values.rate === '' || !(rate >= 0 && rate <= 1000)) return '--rate must be a number from 0 to 1000';
  return { port, era: era.era, models, rate, gpus, keys: values.key, profiles: values.profile };
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const value = Number(text);
  return text !== '' && Number.isInteger(value) && value >= min && value <= max ? value : null;
}

process.exitCode = await main().catch((error: unknown) => {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  process.stderr.write(inUse ? 'emulator: the port is in use\n' : `emulator: ${String(error)}\n`);
  return 1;
});
