import { describe, expect, it } from 'vitest';
import type { CompletionAnswer } from '#shared/schemas/completion.ts';
import { request } from '../../../data/testing/activity.ts';
import { openText, readOpen } from '../open-request.ts';
import {
  bodyNote,
  conversationOf,
  conversationText,
  endWords,
  prettyJson,
  splitCode,
  timeShares,
} from './inspector-view.ts';

const row = request({
  durationMs: 16_100,
  inputTokens: 2_104,
  promptPerSecond: 1_912,
  outputTokens: 612,
  tokensPerSecond: 41.9,
});

const answer: CompletionAnswer = {
  turns: [{ role: 'assistant', parts: [{ kind: 'text', text: 'Yes.' }] }],
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 2, cachedTokens: null, reasoningTokens: null },
  timings: null,
  error: null,
  notes: [],
  frameCount: 3,
};

describe('what is open', () => {
  it('stands in the address and is read from it', () => {
    const key = { hostId: 'marlin-2', idEpoch: 3, id: 41 };
    expect(readOpen(openText(key))).toEqual(key);
  });

  it.each([undefined, '', 'marlin', 'marlin.0', 'a b.0.1', 'marlin.-1.2', 'MARLIN.0.1', 'marlin.0.1.2'])(
    'is nothing for %s',
    (text) => expect(readOpen(text)).toBeNull(),
  );
});

describe('where the time went', () => {
  it('follows from the row, and better from the timings of the server', () => {
    expect(timeShares(row, null)?.map(({ words }) => words)).toEqual([
      '393 ms queue, load, network',
      '1.1 s prefill, 1,912 t/s',
      '14.6 s decode, 41.9 t/s',
    ]);
    const timings = { promptMs: 2_000, predictedMs: 14_000, promptPerSecond: 900, predictedPerSecond: 43 };
    expect(timeShares(row, timings)?.map(({ ms }) => ms)).toEqual([100, 2_000, 14_000]);
  });

  it('is left out where it is not known, and never negative', () => {
    expect(timeShares({ ...row, durationMs: null }, null)).toBeNull();
    expect(timeShares({ ...row, promptPerSecond: null, tokensPerSecond: null }, null)).toBeNull();
    expect(timeShares({ ...row, durationMs: 10 }, null)?.[0]).toMatchObject({ kind: 'other', ms: 0 });
    expect(timeShares({ ...row, promptPerSecond: null }, null)?.map(({ kind }) => kind)).toEqual([
      'other',
      'decode',
    ]);
  });
});

describe('a conversation', () => {
  const text = (json: object) => ({
    kind: 'text' as const,
    text: JSON.stringify(json),
    sizeBytes: 1,
    omittedBytes: 0,
    brokenAt: null,
  });
  const asked = { headers: null, body: text({ messages: [{ role: 'user', content: 'Well?' }] }) };

  it('is what was asked and what was answered', () => {
    const conversation = conversationOf({ request: asked, answer });
    expect(conversation?.turns.map(({ role, isAnswer }) => [role, isAnswer])).toEqual([
      ['user', false],
      ['assistant', true],
    ]);
    expect(conversation === null ? '' : conversationText(conversation)).toBe(
      'user:\nWell?\n\nassistant:\nYes.',
    );
    expect(endWords(answer)).toBe('Stopped by stop · usage from the server');
  });

  it('is none where neither side can be read', () => {
    const request = {
      headers: null,
      body: { kind: 'binary' as const, mediaType: 'audio/wav', sizeBytes: 9 },
    };
    expect(conversationOf({ request, answer: null })).toBeNull();
    expect(conversationOf({ request: asked, answer: null })?.turns).toHaveLength(1);
  });
});

describe('a body', () => {
  const text = { kind: 'text', text: 'x', sizeBytes: 2_400_000, omittedBytes: 0, brokenAt: null } as const;

  it('says what of it is not here', () => {
    expect(bodyNote(text, 'request')).toBeNull();
    expect(bodyNote({ kind: 'none' }, 'answer')).toBe('The host kept no answer.');
    expect(bodyNote({ ...text, omittedBytes: 2_100_000 }, 'request')).toBe(
      '2.1 MB of 2.4 MB were left out, where the text says so.',
    );
    expect(bodyNote({ ...text, brokenAt: 30 }, 'request')).toMatch(/breaks after 30 B/);
    expect(bodyNote({ kind: 'binary', mediaType: 'image/png', sizeBytes: 312_000 }, 'answer')).toBe(
      'image/png, 0.3 MB: not shown, and not kept.',
    );
    expect(bodyNote({ kind: 'withheld', sizeBytes: 900 }, 'answer')).toMatch(/a secret was spread/);
  });

  it('is laid out where it is JSON', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('data: {}')).toBeNull();
    expect(prettyJson('7')).toBeNull();
  });
});

describe('code between fences', () => {
  it('is set apart, also when its end is missing', () => {
    expect(splitCode('See:\n```ts\nlet a;\n```\nDone.')).toEqual([
      { kind: 'prose', text: 'See:' },
      { kind: 'code', text: 'let a;' },
      { kind: 'prose', text: 'Done.' },
    ]);
    expect(splitCode('```\nlet a;')).toEqual([{ kind: 'code', text: 'let a;' }]);
    expect(splitCode('  indented\nplain')).toEqual([{ kind: 'prose', text: 'indented\nplain' }]);
  });
});
