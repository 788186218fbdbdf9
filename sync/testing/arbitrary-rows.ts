import * as fc from 'fast-check';
import type { ActivityGap, ActivityRequest, ActivityRow } from '#shared/schemas/activity.ts';
import { MAX_FAILURE_LINES } from '#shared/schemas/model.ts';
import type { ModelEvent } from '#shared/schemas/model.ts';

/** Any host id. */
export const anyHostId = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,31}$/);
const anyTime = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
);
/** Few hosts, so that rows of one host follow each other; any text, with surrogates, controls and what breaks JSON. */
const someHost = fc.oneof(fc.constantFrom('alpha', 'beta', 'gamma'), anyHostId);
const anyText = fc.oneof(
  fc.constantFrom(
    '',
    'llama-3',
    '/v1/chat/completions',
    '__proto__',
    'constructor',
    '\u0000',
    '💥'.repeat(40),
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const anyInt = fc.oneof(fc.nat(5000), fc.maxSafeInteger());
const anySpeed = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map((hundredths) => hundredths / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(value, { nil: null, freq: 4 });

/** Any request, within its schema. */
export const anyRequest: fc.Arbitrary<ActivityRequest> = fc
  .record({
    type: fc.constant('request' as const),
    hostId: someHost,
    idEpoch: fc.oneof(fc.nat(3), fc.maxSafeNat()),
    id: fc.oneof(fc.nat(5000), fc.maxSafeNat()),
    modelId: anyText,
    path: orNull(anyText),
    endedAt: anyTime,
    status: orNull(fc.oneof(fc.constantFrom(200, 404, 499, 500), anyInt)),
    inputTokens: orNull(anyInt),
    outputTokens: orNull(anyInt),
    cachedTokens: orNull(anyInt),
    promptPerSecond: orNull(anySpeed),
    tokensPerSecond: orNull(anySpeed),
    durationMs: orNull(anyInt),
    hasCapture: fc.boolean(),
    error: orNull(anyText),
    source: orNull(anyText),
    isMatched: fc.boolean(),
  })
  .map(({ isMatched, ...row }) => ({
    ...row,
    sourceCertainty: row.source === null ? 'unknown' : isMatched ? 'matched' : 'exact',
  }));

/** Any gap, within its schema. */
export const anyGap: fc.Arbitrary<ActivityGap> = fc.record({
  type: fc.constant('gap' as const),
  hostId: someHost,
  idEpoch: fc.nat(3),
  fromId: orNull(anyInt),
  toId: orNull(anyInt),
  from: orNull(anyTime),
  to: anyTime,
  reason: fc.constantFrom('ring_wrapped', 'host_restarted', 'backfill_limit', 'not_listed'),
  endedAt: anyTime,
});

/** Any row of the feed, gaps rarer than requests. */
export const anyActivityRow: fc.Arbitrary<ActivityRow> = fc.oneof(
  { weight: 5, arbitrary: anyRequest },
  { weight: 1, arbitrary: anyGap },
);

/** Any model event, within its schema. */
export const anyModelEvent: fc.Arbitrary<ModelEvent> = fc.record({
  type: fc.constant('model-event' as const),
  hostId: someHost,
  modelId: anyText,
  at: anyTime,
  from: orNull(anyText),
  to: anyText,
  reason: orNull(anyText),
});

/** Any failed start with the lines around it, as only segments and the database hold them. */
export const anyFailedStart: fc.Arbitrary<ModelEvent> = fc
  .tuple(
    anyModelEvent,
    fc.array(
      anyText.map((text) => text.replaceAll('\n', ' ')),
      { minLength: 1, maxLength: MAX_FAILURE_LINES },
    ),
  )
  .map(([event, lines]) => ({ ...event, lines }));
