import { describe, expect, it } from 'vitest';
import type { PerformanceQuery } from '#shared/schemas/performance.ts';
import { resolvePerformanceQuery } from './performance-query.ts';

const now = Date.UTC(2026, 10, 30, 12);
const HOUR_MS = 3_600_000;
const resolve = (query: Omit<PerformanceQuery, 'hostId'>) =>
  resolvePerformanceQuery({ hostId: 'box', ...query }, { now, rawHours: 48 });

describe('what a query of performance reads', () => {
  it('is every sample of the last hour when nothing is said', () => {
    const read = { hostId: 'box', from: now - HOUR_MS, to: now, stepMs: 0, source: 'samples' };
    expect(resolve({})).toEqual({ ok: true, read });
  });

  it.each([
    ['six hours by the minute', 6, 60_000, 'samples'],
    ['a day by the minute', 24, 60_000, 'samples'],
    ['a week by five minutes, where samples are gone', 167, 900_000, 'rollups'],
    ['a quarter by hours', 80 * 24, HOUR_MS, 'rollups'],
  ])('is %s when no step is given', (_what, hours, stepMs, source) => {
    expect(resolve({ from: now - hours * HOUR_MS })).toMatchObject({ ok: true, read: { stepMs, source } });
  });

  it('is rollups, whole ones, where samples are dropped or the step is long', () => {
    const old = resolve({ from: now - 50 * HOUR_MS + 7, to: now - 49 * HOUR_MS, step: 0 });
    expect(old).toMatchObject({
      ok: true,
      read: { stepMs: 300_000, from: now - 50 * HOUR_MS, source: 'rollups' },
    });
    expect(resolve({ step: 400_000 })).toMatchObject({
      ok: true,
      read: { stepMs: 300_000, source: 'rollups' },
    });
  });

  it.each([
    [{ from: now, to: now }, 'before'],
    [{ step: 5 }, 'at least 1000'],
    [{ from: now - 30 * HOUR_MS, step: 0 }, '26 hours'],
    [{ from: now - 47 * HOUR_MS, step: 1000 }, '8460 ms'],
  ])('is refused for %j', (query, word) => {
    const result = resolve(query);
    expect(result.ok ? '' : result.problem).toContain(word);
  });
});
