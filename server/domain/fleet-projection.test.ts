import { describe, expect, test } from 'vitest';
import { hostConfig } from '../testing/host-config.ts';
import { modelRow, statusRow } from '../testing/model-rows.ts';
import { hostEntry, modelsForDocument, sameHost, sameModel, statusAfterRestart } from './fleet-projection.ts';

describe('a host', () => {
  test('before its first status knows nothing but its configuration', () => {
    const entry = hostEntry(hostConfig('box', { label: 'Box' }), null, 7, []);
    expect(entry).toMatchObject({ id: 'box', label: 'Box', liveness: 'reconnecting', since: 7 });
    expect(entry).toMatchObject({ lastSeenAt: null, version: null, clockOffsetMs: null });
  });

  test('that was connected is not, once the process that said so has ended; anything else stays', () => {
    expect(statusAfterRestart(statusRow(), 7)).toMatchObject({ liveness: 'reconnecting', since: 7 });
    expect(statusAfterRestart(statusRow(), 7)?.lastSeenAt).toBe(statusRow().lastSeenAt);
    const down = statusRow({ liveness: 'down', reason: 'refused' });
    expect(statusAfterRestart(down, 7)).toBe(down);
    expect(statusAfterRestart(null, 7)).toBeNull();
  });

  test('is the same while only its last sign of life and a jittering clock move', () => {
    const entry = hostEntry(hostConfig('box'), statusRow(), 1, []);
    expect(sameHost(entry, { ...entry, lastSeenAt: 1, clockOffsetMs: 900 })).toBe(true);
    expect(sameHost(entry, { ...entry, clockOffsetMs: 60_000 })).toBe(false);
    expect(sameHost(entry, { ...entry, clockOffsetMs: null })).toBe(false);
    expect(sameHost(entry, { ...entry, reason: 'x' })).toBe(false);
  });
});

describe('models in the document', () => {
  test('are the same while only their observation moves, whatever the order of their keys', () => {
    const { hostId, ...rest } = modelRow();
    expect(sameModel(modelRow(), { ...rest, observedAt: 1, hostId })).toBe(true);
    expect(sameModel(modelRow(), modelRow({ aliases: ['a'] }))).toBe(false);
  });

  test('have their long texts cut', () => {
    const lines = Array.from({ length: 40 }, () => 'l'.repeat(1000));
    const [model] = modelsForDocument([
      modelRow({
        description: 'd'.repeat(5000),
        aliases: Array.from({ length: 900 }, (_, index) => `alias-${index}`),
        failedStart: { at: 1, reason: 'r'.repeat(999), lines },
      }),
    ]);
    expect(JSON.stringify(model).length).toBeLessThan(4000);
    expect(model?.description.endsWith('…')).toBe(true);
  });

  test('of one host stay within its bytes, active ones first and in their order', () => {
    const models = Array.from({ length: 500 }, (_, index) =>
      modelRow({ modelId: `${index}-${'m'.repeat(1000)}`, state: index === 499 ? 'ready' : 'stopped' }),
    );
    const shown = modelsForDocument(models);
    expect(JSON.stringify(shown).length).toBeLessThan(260 * 1024);
    expect(shown.length).toBeGreaterThan(100);
    expect(shown.at(-1)?.modelId.startsWith('499-')).toBe(true);
    expect(shown[0]?.modelId.startsWith('0-')).toBe(true);
  });
});
