import { expect, test } from 'vitest';
import { fuzzOutbox } from '../testing/outbox-fuzz.ts';

const inputs = Number(process.env['DROVER_SOAK_ROUNDS'] ?? 10) * 100;

test(`[O6] ${inputs} damaged, forged and random inputs change nothing but the sender’s own outbox`, async () => {
  const { kept, quarantined, malformed } = await fuzzOutbox(inputs);
  expect(kept + quarantined + malformed).toBe(inputs);
});
