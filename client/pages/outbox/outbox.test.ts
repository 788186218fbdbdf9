import { describe, expect, it } from 'vitest';
import type { IntentEntry } from '../../data/intents/types.ts';
import { intentEntry } from '../../data/testing/intent-entry.ts';
import { confirmWords } from './confirm-words.ts';
import { detailSentence, factsTable, recordWords, stepViews } from './detail-view.ts';
import { entryActions } from './entry-actions.ts';
import { customExpiry, expiryChoices } from './expiry-choices.ts';
import { parseOutboxSearch } from './outbox-search.ts';
import { matchingEntries, outboxSections, outboxSummary } from './outbox-sections.ts';
import { noticeWords } from './storage-words.ts';

const at = (hour: number, minute: number, second = 0): number =>
  new Date(2026, 10, 30, hour, minute, second).getTime();
const NOW = at(14, 11);
const ben = { isMine: false, author: { kind: 'device', id: 'd2', label: 'Ben' } } as const;

const all: readonly IntentEntry[] = [
  intentEntry({ id: 'queued' }),
  intentEntry({ id: 'void', state: 'expired-here', endedAt: at(14, 10) }),
  intentEntry({ id: 'waiting', state: 'waiting', ...ben }),
  intentEntry({ id: 'asks', state: 'needs_confirmation', endedAt: at(14, 9) }),
  intentEntry({ id: 'asks-ben', state: 'needs_confirmation', endedAt: at(14, 9), ...ben }),
  intentEntry({ id: 'done', state: 'succeeded', endedAt: at(13, 33) }),
  intentEntry({ id: 'old', state: 'succeeded', endedAt: at(13, 33) - 86_400_000 }),
];
const ids = (entries: readonly IntentEntry[]): readonly string[] => entries.map(({ id }) => id);

describe('the sections', () => {
  it('put what asks for a person first and what is over last', () => {
    const sections = outboxSections(all, { now: NOW, asOf: null });
    expect(sections.map(({ title, entries }) => [title, ids(entries)])).toEqual([
      ['Needs you', ['asks']],
      ['On this device', ['queued']],
      ['Expired here', ['void']],
      ['Under way', ['waiting']],
      ['Ended today', ['asks-ben', 'done']],
      ['Ended before', ['old']],
    ]);
    expect(outboxSummary(sections)).toBe('1 needs you · 1 on this device · 1 under way');
    expect(outboxSummary([])).toBe('nothing waits');
  });

  it('say as of when they are while the collector is away, and only what stands there is past', () => {
    const sections = outboxSections(all, { now: NOW, asOf: at(13, 52) });
    expect(sections.find(({ id }) => id === 'collector')).toMatchObject({
      title: 'At the collector',
      note: 'as of 13:52, 19 min ago',
      isPast: true,
    });
    expect(sections.filter(({ isPast }) => isPast)).toHaveLength(1);
    expect(sections.find(({ id }) => id === 'device')?.note).toBe('1, sent when you are back');
    expect(sections.find(({ id }) => id === 'today')?.note).toBe('known here: 2');
  });

  it('hold each action once, and none that was read among those that ask', () => {
    const read = all.map((entry) => ({ ...entry, dismissed: true }));
    const sections = outboxSections(read, { now: NOW, asOf: null });
    expect(sections.some(({ id }) => id === 'needs-you' || id === 'expired')).toBe(false);
    expect(sections.flatMap(({ entries }) => ids(entries)).toSorted()).toEqual(ids(all).toSorted());
  });

  it('leave out what was replaced before it left, and nothing else that was dropped', () => {
    const dropped = intentEntry({ id: 'dropped', state: 'dropped' });
    const replacement = intentEntry({ id: 'new', supersedes: 'dropped' });
    expect(ids(matchingEntries([replacement, dropped], {}))).toEqual(['new']);
    expect(ids(matchingEntries([dropped], {}))).toEqual(['dropped']);
  });

  it('follow the address', () => {
    expect(ids(matchingEntries(all, { who: 'mine' }))).not.toContain('waiting');
    expect(ids(matchingEntries(all, { device: ['d2'] }))).toEqual(['waiting', 'asks-ben']);
    expect(matchingEntries(all, { host: ['heron'] })).toEqual([]);
    expect(parseOutboxSearch({ who: 'all', host: 'heron', id: 7, device: [1, 'd2'] })).toEqual({
      host: ['heron'],
      device: ['d2'],
    });
  });
});

describe('what can be done about an action', () => {
  it.each<[Partial<IntentEntry>, readonly string[]]>([
    [{ state: 'queued' }, ['cancel', 'change-expiry']],
    [{ state: 'queued', cancelAsked: true }, []],
    [{ state: 'waiting' }, ['cancel', 'change-expiry']],
    [{ state: 'waiting', ...ben }, []],
    [{ state: 'running', kind: 'model.load', ...ben }, ['abort']],
    [{ state: 'running' }, []],
    [{ state: 'needs_confirmation' }, ['confirm', 'only-if-idle', 'dismiss']],
    [{ state: 'needs_confirmation', ...ben }, []],
    [{ state: 'failed', evidence: { lines: ['out of memory'] } }, ['log', 'ask-again', 'dismiss']],
    [{ state: 'failed', evidence: { lines: ['out of memory'] }, ...ben }, ['log']],
    [{ state: 'failed', kind: 'model.load' }, ['log', 'ask-again', 'dismiss']],
    [{ state: 'failed' }, ['ask-again', 'dismiss']],
    [{ state: 'unknown' }, ['note', 'dismiss']],
    [{ state: 'expired' }, ['ask-again']],
    [{ state: 'rejected', kind: 'request.cancel' }, []],
    [{ state: 'succeeded' }, []],
  ])('%j: %j', (change, actions) => {
    expect(entryActions(intentEntry(change))).toEqual(actions);
  });

  it('names what would be cut as it stands now', () => {
    expect(confirmWords({ kind: 'model.unload' }, 2)).toBe('Unload, cut 2 requests');
    expect(confirmWords({ kind: 'model.unload' }, 0)).toBe('Unload now');
    expect(confirmWords({ kind: 'model.unload' }, null)).toBe('Unload, whatever runs');
    expect(confirmWords({ kind: 'model.load' }, null)).toBe('Load, and wake it');
  });
});

describe('the detail', () => {
  const asks = intentEntry({
    state: 'needs_confirmation',
    seenAt: at(14, 8, 30),
    endedAt: at(14, 9, 14),
    createdAt: at(14, 8, 31),
    precondition: { inFlightMax: 1 },
    confirm: { hostId: 'marlin', modelId: 'coder', inFlight: 1 },
    reason: 'Not unloaded: 2 requests were running; you had confirmed 1.',
    evidence: {
      checked: { at: at(14, 9, 14), liveness: 'connected', modelState: 'ready', inFlight: 2 },
    },
    steps: [
      { state: 'queued', at: at(14, 8, 31), by: 'ana-phone' },
      { state: 'sent', at: at(14, 9, 10), by: 'ana-phone' },
      { state: 'received', at: at(14, 9, 10), by: 'ana-phone' },
      { state: 'waiting', at: at(14, 9, 11), by: 'collector' },
      { state: 'needs_confirmation', at: at(14, 9, 14), by: 'collector' },
    ],
  });

  it('compares what was seen, what was found and what is there now', () => {
    const now = {
      liveness: 'connected',
      modelState: 'ready',
      inFlight: null,
      lease: 'nothing',
      head: 'Now, live',
    };
    const table = factsTable(asks, now);
    expect(table.heads).toEqual(['You saw, 14:08:30', 'At the check, 14:09:14', 'Now, live']);
    expect(table.rows.map(({ name, cells }) => [name, cells.map(({ text }) => text)])).toEqual([
      ['Host', ['–', 'live', 'live']],
      ['Model', ['–', 'ready', 'ready']],
      ['Running requests', ['1', '2', '–']],
      ['Acting on the host', ['–', '–', 'nothing']],
    ]);
    expect(table.rows[2]?.cells.map(({ isChanged }) => isChanged)).toEqual([false, true, false]);
  });

  it('says what came after it was looked at', () => {
    const requests = [
      { elapsedMs: 60_000, observedAt: at(14, 9, 14) },
      { elapsedMs: 20_000, observedAt: at(14, 9, 14) },
    ];
    expect(detailSentence(asks, { now: NOW }, requests)).toBe(
      'Not done. When its turn came, 2 requests were running; you had confirmed 1. One of those that run now started 24 s after you looked.',
    );
    expect(detailSentence(asks, { now: NOW }, [])).toBe(
      'Not done. When its turn came, 2 requests were running; you had confirmed 1.',
    );
  });

  it('tells each step', () => {
    const steps = stepViews(asks, { now: NOW });
    expect(steps.map(({ time, strong, text }) => `${time} ${strong} ${text}`)).toEqual([
      '14:08:31 Queued on ana-phone',
      '14:09:10 Sent by ana-phone',
      '14:09:10 Received by the collector, 39 s old',
      '14:09:11 Waited for its turn',
      '14:09:14 Confirm again. 2 requests were running; you had confirmed 1',
    ]);
    expect(recordWords(asks)).toBe('model.unload · inFlightMax 1 · confirm marlin, coder, 1 · void 14:10:00');
  });
});

describe('changing the expiry', () => {
  it('offers what people mean, all of it ahead', () => {
    expect(expiryChoices(NOW).map(({ label }) => label)).toEqual([
      'For 1 h more, until 15:11',
      'Until 22:00',
      'Until tomorrow, Tue 1 Dec, 09:00',
    ]);
    expect(expiryChoices(at(23, 0)).map(({ label }) => label)).not.toContain('Until 22:00');
  });

  it('says what is wrong with a time that was typed', () => {
    const facts = { now: NOW, createdAt: at(14, 5) };
    expect(customExpiry('2026-11-30T18:30', facts).untilMs).toBe(at(18, 30));
    expect(customExpiry('', facts).problem).toBe('Choose a day and a time.');
    expect(customExpiry('2026-11-30T09:00', facts).problem).toBe('This time has passed.');
    expect(customExpiry('2026-12-30T09:00', facts).problem).toBe('An action counts for 7 days at most.');
  });
});

describe('what ended', () => {
  it('stands in the order of its end, as the times beside it say', () => {
    const entries = [
      intentEntry({ id: 'quick', state: 'succeeded', createdAt: at(14, 8), endedAt: at(14, 8) }),
      intentEntry({ id: 'waited', state: 'expired', createdAt: at(13, 30), endedAt: at(14, 10), ...ben }),
      intentEntry({ id: 'first', state: 'succeeded', createdAt: at(13, 0), endedAt: at(13, 0) }),
    ];
    const [today] = outboxSections(entries, { now: NOW, asOf: null });
    expect(ids(today?.entries ?? [])).toEqual(['waited', 'quick', 'first']);
  });
});

describe('what has to be reviewed', () => {
  it('is not said to be on its way', () => {
    const entries = [intentEntry({ id: 'a', state: 'queued' }), intentEntry({ id: 'b', state: 'queued' })];
    const note = (asOf: number | null, heldIds: readonly string[]): string | undefined =>
      outboxSections(entries, { now: NOW, asOf, heldIds })[0]?.note;
    expect(note(null, [])).toBe('2, on their way');
    expect(note(null, ['a', 'b'])).toBe('2, not sent before you decide');
    expect(note(null, ['a'])).toBe('2, 1 not sent before you decide');
    expect(note(NOW, [])).toBe('2, sent when you are back');
  });
});

describe('a queue that is not kept', () => {
  const fine = {
    unsent: 2,
    needsYou: 0,
    storage: 'saved',
    storageError: null,
    refusal: null,
    review: null,
  } as const;

  it('is said with what would be lost', () => {
    expect(noticeWords(fine)).toBe(null);
    expect(noticeWords({ ...fine, storage: 'not-saved', storageError: 'The disk is full.' })).toEqual({
      title: 'Not saved here.',
      detail: 'The disk is full. 2 actions would be lost when this page closes.',
    });
    expect(noticeWords({ ...fine, storage: 'insecure' })?.title).toContain('not encrypted');
    expect(noticeWords({ ...fine, storage: 'insecure', unsent: 0 })).toBe(null);
    expect(noticeWords({ ...fine, refusal: 'It is full.' })?.detail).toBe('It is full.');
  });
});
