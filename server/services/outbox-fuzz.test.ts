import { expect, test } from 'vitest';
import { fuzzOutbox } from '../testing/outbox-fuzz.ts';

test('[O6] two thousand damaged, forged and random inputs change nothing but the sender’s own outbox', async () => {
  const { kept, quarantined, malformed } = await fuzzOutbox(2_000);
  expect(kept + quarantined + malformed).toBe(2_000);
  // Each way out is taken often, or the inputs would try nothing.
  for (const taken of [kept, quarantined, malformed]) expect(taken).toBeGreaterThan(20);
}, 120_000);
