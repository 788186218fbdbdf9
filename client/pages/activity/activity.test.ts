import { describe, expect, test } from 'vitest';
import type { ActivityGap, ActivityRequest } from '#shared/schemas/activity.ts';
import type { HistoryDay } from '../../data/types.ts';
import { filterOf, isFiltered, parseActivitySearch, withoutFilters } from './activity-search.ts';
import { countWords } from './count-words.ts';
import { activityCsv, csvLine } from './csv.ts';
import { heldWords, neighbourDays } from './held-words.ts';
import { gapWords, requestRow, rowKey } from './row-view.ts';
import { emptyWords } from './source-table.tsx';

const now = new Date(2026, 10, 30, 14, 11, 4).getTime();
const request: ActivityRequest = {
  type: 'request',
  hostId: 'bluefin',
  idEpoch: 0,
  id: 7,
  modelId: 'qwen3-coder-30b-a3b',
  path: '/v1/chat/completions',
  endedAt: now,
  status: 200,
  inputTokens: 2104,
  outputTokens: 612,
  cachedTokens: 1880,
  promptPerSecond: 1912,
  tokensPerSecond: 41.9,
  durationMs: 16_100,
  hasCapture: false,
  error: null,
  source: 'opencode',
  sourceCertainty: 'matched',
};
const gap: ActivityGap = {
  type: 'gap',
  hostId: 'marlin',
  idEpoch: 0,
  fromId: 10,
  toId: 13,
  from: new Date(2026, 10, 30, 13, 47).getTime(),
  to: new Date(2026, 10, 30, 13, 52).getTime(),
  reason: 'host_restarted',
  endedAt: new Date(2026, 10, 30, 13, 52).getTime(),
};

describe('a request in its row', () => {
  test('shows tokens, speed and time', () => {
    expect(requestRow(request, now)).toMatchObject({
      ended: '14:11:04',
      code: '200',
      outcome: 'done',
      message: null,
      tokens: '2,104 → 612',
      rate: '41.9',
      took: '16.1 s',
      short: '612 out · 16.1 s',
    });
  });

  test('that failed shows its text in place of the numbers', () => {
    const row = requestRow({ ...request, status: 500, error: 'slot unavailable' }, now);
    expect(row).toMatchObject({ outcome: 'failed', message: 'slot unavailable', code: '500' });
    expect(requestRow({ ...request, status: 404 }, now).message).toBe('failed, the host gave no text');
  });

  test('without a status is not known to have gone well', () => {
    expect(requestRow({ ...request, status: null }, now)).toMatchObject({ outcome: 'unknown', code: '–' });
  });

  test('of an embedding or a reranking makes no tokens, whatever zero the host reports', () => {
    const row = requestRow({ ...request, path: '/v1/rerank', outputTokens: 0 }, now);
    expect(row).toMatchObject({ tokens: '2,104 → –', short: '2,104 in · 16.1 s' });
    expect(requestRow({ ...request, outputTokens: 0 }, now).tokens).toBe('2,104 → 0');
  });

  test('with 200 and no tokens says that the client left', () => {
    const row = requestRow({ ...request, inputTokens: 0, outputTokens: 0 }, now);
    expect(row).toMatchObject({ outcome: 'client-left', message: 'client left before the first token' });
    expect(requestRow({ ...request, status: 499 }, now).outcome).toBe('client-left');
    // An embedding has no output by nature.
    const embedding = { ...request, path: '/v1/embeddings', inputTokens: 0, outputTokens: 0 };
    expect(requestRow(embedding, now).outcome).toBe('done');
  });

  test('of another day carries the day', () => {
    expect(requestRow({ ...request, endedAt: now - 86_400_000 }, now).ended).toBe('Sun 14:11:04');
  });

  test('with unknown numbers has dashes', () => {
    const bare = {
      ...request,
      inputTokens: null,
      outputTokens: null,
      tokensPerSecond: null,
      durationMs: null,
    };
    expect(requestRow(bare, now)).toMatchObject({ tokens: '– → –', rate: '–', took: '–', short: '–' });
  });
});

test('a gap says when, how many and why', () => {
  expect(gapWords(gap, now)).toBe(
    '13:47 to 13:52, 4 requests. The host restarted while the stream was cut: what ran then is not known.',
  );
  expect(gapWords({ ...gap, from: null, fromId: null }, now)).toContain('before 13:52. ');
});

test('rows of two hosts or two epochs are never the same', () => {
  const keys = [request, { ...request, hostId: 'heron' }, { ...request, idEpoch: 1 }, gap].map(rowKey);
  expect(new Set(keys).size).toBe(4);
});

describe('how many requests match', () => {
  test('is said once they are counted', () => {
    expect(countWords({ count: 200, counts: { failed: 41, gaps: 1, total: 2915 } })).toBe(
      '2,914 requests · 41 failed · 1 gap',
    );
    expect(countWords({ count: 0, counts: { failed: 0, gaps: 0, total: 0 } })).toBe('0 requests · 0 failed');
  });

  test('is not known before, however many rows are here', () => {
    expect(countWords({ count: 200, counts: null })).toBe('200 fetched so far');
    expect(countWords({ count: 0, counts: null })).toBe('not counted yet');
    expect(countWords({ count: 200, counts: null }, 'Too busy.')).toBe(
      '200 fetched so far · counting failed',
    );
    expect(emptyWords(null, null)).toBe('Not counted yet.');
    expect(emptyWords(null, 'Too busy.')).toBe('The requests could not be counted. Too busy.');
    expect(emptyWords([], null)).toBe('No request matches.');
  });
});

describe('filters in the address', () => {
  test('are read back, and what is not known is left out', () => {
    expect(
      parseActivitySearch({
        failures: 'true',
        host: 'a',
        model: ['x/y', 'z'],
        source: ['', 'ci'],
        day: '2026-11-29',
        view: 'Night jobs',
        x: 1,
      }),
    ).toEqual({
      failures: true,
      host: ['a'],
      model: ['x/y', 'z'],
      source: ['', 'ci'],
      day: '2026-11-29',
      view: 'Night jobs',
    });
    expect(parseActivitySearch({ all: 'true', day: '2026-11-29', source: 'ci' })).toEqual({
      all: true,
      source: ['ci'],
    });
    expect(parseActivitySearch({ day: 'yesterday', q: '', source: 3, host: [1] })).toEqual({});
  });

  test('a day alone is no filter', () => {
    expect(isFiltered({ day: '2026-11-29', view: 'x' })).toBe(false);
    expect(isFiltered({ all: true })).toBe(false);
    expect(withoutFilters({ all: true, q: 'x', view: 'y' })).toEqual({ all: true });
    expect(isFiltered({ q: 'x' })).toBe(true);
    expect(filterOf({})).toMatchObject({ failuresOnly: false, day: null });
  });
});

describe('how far back this device sees', () => {
  const day = (name: string, held: HistoryDay['held']): HistoryDay => ({
    day: name,
    rows: 1,
    bytes: 1,
    held,
  });

  test('counts days up to the first that is not whole', () => {
    const days = [
      day('2026-11-30', 'all'),
      day('2026-11-29', 'all'),
      day('2026-11-28', 'part'),
      day('2026-11-27', 'all'),
    ];
    expect(heldWords(days, null, now)).toBe('This device holds 2 days, back to 29 Nov');
    expect(heldWords([], null, now)).toBe('This device holds nothing yet');
    expect(heldWords([], now, now)).toBe('This device sees back to 30 Nov');
  });

  test('day by day leads back to the live window', () => {
    const days = ['2026-11-30', '2026-11-29', '2026-11-27'].map((name) => day(name, 'none'));
    expect(neighbourDays(days, null, '2026-11-30')).toEqual({
      older: '2026-11-29',
      newer: null,
      newerIsLive: false,
    });
    expect(neighbourDays(days, '2026-11-29', '2026-11-30')).toEqual({
      older: '2026-11-27',
      newer: null,
      newerIsLive: true,
    });
    expect(neighbourDays(days, '2026-11-27', '2026-11-30')).toMatchObject({
      older: null,
      newer: '2026-11-29',
    });
  });
});

describe('CSV', () => {
  test('quotes what must be quoted and disarms formulas', () => {
    const line = csvLine({
      ...request,
      modelId: '=HYPERLINK("x")',
      error: 'a,b\n"c"',
      source: null,
      sourceCertainty: 'unknown',
    });
    expect(line).toContain(`"'=HYPERLINK(""x"")"`);
    expect(line).toContain('"a,b\n""c"""');
  });

  test('has as many cells in a gap as in a request', () => {
    const cells = (line: string): number => line.split(',').length;
    expect(cells(csvLine(gap))).toBe(cells(csvLine(request)));
  });

  test('holds every filtered row, more than one task of them', async () => {
    const feed = {
      count: 4001,
      rowAt: (index: number) => ({ ...request, id: index }),
    } as const;
    const text = await (await activityCsv(feed)).text();
    expect(text.trim().split('\r\n')).toHaveLength(4002);
  });
});
