import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSources, withSource } from './source-match.ts';
import type { EndedRequest, RunningSeen } from './source-match.ts';

const AT = Date.UTC(2026, 10, 30, 12);

function seen(changes: Partial<RunningSeen> = {}): RunningSeen {
  return {
    key: '1',
    modelId: 'coder',
    path: '/v1/chat/completions',
    startedAt: AT,
    ranMs: 4_000,
    ended: true,
    source: 'phone',
    isNamed: true,
    ...changes,
  };
}

function ended(changes: Partial<EndedRequest> = {}): EndedRequest {
  return {
    modelId: 'coder',
    path: '/v1/chat/completions',
    endedAt: AT + 4_000,
    durationMs: 4_000,
    ...changes,
  };
}

const sources = (rows: readonly EndedRequest[], running: readonly RunningSeen[]) =>
  matchSources(rows, running).map(({ source }) => source);

describe('whom an ended request came from', () => {
  it('is told by the only running one it can have been', () => {
    const running = [seen(), seen({ key: '2', source: 'ci', startedAt: AT + 60_000 })];
    expect(matchSources([ended()], running)).toEqual([
      { source: 'phone', isNamed: true, key: '1', undecided: false },
    ]);
  });

  it.each([
    ['another model', { modelId: 'qwen' }],
    ['another path', { path: '/v1/embeddings' }],
    ['an earlier start', { startedAt: AT - 3_000 }],
    ['a later start', { startedAt: AT + 3_000 }],
    ['a longer one', { ranMs: 5_000 }],
    ['a shorter one', { ranMs: 3_500 }],
    ['one that ran on', { ended: false, ranMs: 6_000 }],
    ['no source', { source: null }],
    ['no start', { startedAt: null }],
  ])('is not known from %s', (_, changes) => {
    expect(sources([ended()], [seen(changes)])).toEqual([null]);
  });

  it('allows for end times cut to the second', () => {
    const cut = ended({ endedAt: AT + 4_000, durationMs: 4_000 });
    expect(sources([cut], [seen({ startedAt: AT + 900 })])).toEqual(['phone']);
    expect(
      sources([ended({ endedAt: AT + 4_001, durationMs: 4_000 })], [seen({ startedAt: AT + 900 })]),
    ).toEqual([null]);
  });

  it('is unknown for requests that cannot be told apart, unless all came from the same', () => {
    const twins = [seen(), seen({ key: '2', source: 'ci' })];
    expect(sources([ended(), ended()], twins)).toEqual([null, null]);
    expect(sources([ended()], twins)).toEqual([null]);
    expect(sources([ended(), ended()], [seen(), seen({ key: '2' })])).toEqual(['phone', 'phone']);
    expect(sources([ended()], [seen(), seen({ key: '2', startedAt: null })])).toEqual([null]);
  });

  it('is unknown when more rows than running requests fit: one of them was never seen', () => {
    expect(sources([ended(), ended()], [seen()])).toEqual([null, null]);
  });

  it('follows from what the others must have been', () => {
    // The second row can be the later one only, so the first is the earlier one.
    const running = [seen(), seen({ key: '2', source: 'ci', startedAt: AT + 1_200, ranMs: 4_000 })];
    const rows = [ended({ endedAt: AT + 4_000 }), ended({ endedAt: AT + 5_000 })];
    expect(sources(rows, running)).toEqual(['phone', 'ci']);
  });

  it('may be settled by a running request that ends or outlives the row', () => {
    const other = seen({ key: '2', source: 'ci', ended: false, ranMs: 4_100 });
    expect(matchSources([ended()], [seen(), other])[0]).toMatchObject({ source: null, undecided: true });
    expect(sources([ended()], [seen(), { ...other, ranMs: 4_500 }])).toEqual(['phone']);
    expect(matchSources([ended()], [seen(), seen({ key: '2', source: 'ci' })])[0]?.undecided).toBe(false);
  });

  it('gives up on a knot of hundreds within a moment', () => {
    const many = Array.from({ length: 300 }, (_, index) => seen({ key: String(index), source: `s${index}` }));
    const started = performance.now();
    expect(
      new Set(
        sources(
          Array.from({ length: 300 }, () => ended()),
          many,
        ),
      ),
    ).toEqual(new Set([null]));
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('stands in a row as matched; the host’s own word gives way to a name, not to an address', () => {
    const named = { source: 'phone', isNamed: true, key: '1', undecided: false };
    const address = { ...named, source: 'ip:10.0.0.7', isNamed: false };
    const none = { source: null, sourceCertainty: 'unknown' } as const;
    const exact = { source: 'xff:10.0.0.7', sourceCertainty: 'exact' } as const;
    expect(withSource(none, address)).toEqual({ source: 'ip:10.0.0.7', sourceCertainty: 'matched' });
    expect(withSource(exact, named)).toEqual({ source: 'phone', sourceCertainty: 'matched' });
    expect(withSource(exact, address)).toBe(exact);
    expect(withSource(none, { ...named, source: null })).toBe(none);
  });
});

/** A request as it really was. */
interface Truth {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly modelId: string;
  readonly source: string;
  /** What messages need on their way here more than those before. */
  readonly delayMs: number;
}

const truth: fc.Arbitrary<Truth> = fc.record({
  startedAt: fc.integer({ min: 0, max: 8_000 }).map((ms) => AT + ms),
  durationMs: fc.integer({ min: 0, max: 6_000 }),
  modelId: fc.constantFrom('coder', 'coder', 'qwen'),
  source: fc.constantFrom('phone', 'ci', 'opencode'),
  delayMs: fc.integer({ min: 0, max: 400 }),
});

/** What a host since v236 writes of it: the end in whole seconds. */
function rowOf({ startedAt, durationMs, modelId }: Truth): EndedRequest {
  const endedAt = Math.floor((startedAt + durationMs) / 1_000) * 1_000;
  return { modelId, path: '/v1/chat/completions', endedAt, durationMs };
}

function seenOf({ startedAt, durationMs, modelId, source, delayMs }: Truth, index: number): RunningSeen {
  return seen({ key: String(index), startedAt, ranMs: durationMs + delayMs, modelId, source });
}

/** Sources that were given and are not the true ones. */
function wrong(found: readonly (string | null)[], requests: readonly Truth[]): readonly (string | null)[] {
  return found.filter((source, index) => source !== null && source !== requests[index]?.source);
}

describe('as long as every request was seen running', () => {
  it('no row ever gets the source of another', () => {
    fc.assert(
      fc.property(fc.array(truth, { maxLength: 12 }), (requests) => {
        const found = sources(requests.map(rowOf), requests.map(seenOf));
        expect(wrong(found, requests)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('nor when rows come in parts, each settled request out of the way of later ones', () => {
    fc.assert(
      fc.property(fc.array(truth, { maxLength: 10 }), fc.nat(10), (requests, cut) => {
        const running = requests.map(seenOf);
        const first = matchSources(requests.slice(0, cut).map(rowOf), running);
        const settled = new Set(first.flatMap(({ key }) => key ?? []));
        const left = running.filter(({ key }) => !settled.has(key));
        const found = [...first, ...matchSources(requests.slice(cut).map(rowOf), left)];
        expect(
          wrong(
            found.map(({ source }) => source),
            requests,
          ),
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('the order in which rows and running requests came changes nothing', () => {
    const shuffled = fc.array(truth, { minLength: 1, maxLength: 10 }).chain((requests) =>
      fc.record({
        requests: fc.constant(requests),
        rows: fc.shuffledSubarray([...requests.keys()], { minLength: requests.length }),
        running: fc.shuffledSubarray([...requests.keys()], { minLength: requests.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ requests, rows, running }) => {
        const seenInOrder = requests.map(seenOf);
        const straight = sources(requests.map(rowOf), seenInOrder);
        const mixed = sources(
          rows.flatMap((at) => requests[at] ?? []).map(rowOf),
          running.flatMap((at) => seenInOrder[at] ?? []),
        );
        expect(mixed).toEqual(rows.map((at) => straight[at]));
      }),
    );
  });

  it('a clock of the host that is off changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(truth, { maxLength: 8 }),
        fc.integer({ min: -86_400, max: 86_400 }),
        (requests, offS) => {
          const shifted = requests.map((one) => ({ ...one, startedAt: one.startedAt + offS * 1_000 }));
          expect(sources(shifted.map(rowOf), shifted.map(seenOf))).toEqual(
            sources(requests.map(rowOf), requests.map(seenOf)),
          );
        },
      ),
    );
  });

  it('identical requests at the same time, of different sources, are all unknown', () => {
    fc.assert(
      fc.property(truth, fc.integer({ min: 2, max: 8 }), (one, count) => {
        const requests = Array.from({ length: count }, (_, index) => ({ ...one, source: `s${index % 2}` }));
        expect(new Set(sources(requests.map(rowOf), requests.map(seenOf)))).toEqual(new Set([null]));
      }),
    );
  });

  it('a request that is alone in its time is always told', () => {
    fc.assert(
      fc.property(fc.array(truth, { maxLength: 6 }), (requests) => {
        const apart = requests.map((one, index) => ({ ...one, startedAt: one.startedAt + index * 30_000 }));
        expect(sources(apart.map(rowOf), apart.map(seenOf))).toEqual(apart.map(({ source }) => source));
      }),
    );
  });
});
