import { z } from 'zod';
import { EmulatedHost } from '../emulator/emulated-host.ts';
import { parseEra } from '../emulator/era.ts';
import { numberedModels } from '../emulator/numbered-models.ts';
import { answerParent } from './child.ts';

/** Run as a process: emulated llama-swap hosts without traffic; answers where they listen. */
const count = z.coerce.number().int().min(1).max(100).parse(process.argv[2]);
const MODELS = 20;
const ERAS = ['v217', 'v235', 'v250', 'main', 'v262'] as const;

const hosts = Array.from({ length: count }, (_, index) => {
  const era = parseEra(ERAS[index % ERAS.length] ?? 'v250');
  if (!era.ok) throw new Error(era.message);
  return new EmulatedHost({ era: era.era, port: 0, gpus: 2, config: { models: numberedModels(MODELS) } });
});
await Promise.all(hosts.map((host) => host.start()));

answerParent(() => hosts.map(({ url }) => url));
