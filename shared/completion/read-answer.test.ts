import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerReader, readStreamedAnswer, readWholeAnswer } from './read-answer.ts';
import { STREAMS, type Said } from './testing/streams.ts';

const piece = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const pieces = fc.array(piece, { minLength: 1, maxLength: 8 });
const said: fc.Arbitrary<Said> = fc.record({ reasoning: pieces, text: pieces, arguments: pieces });
const dialect = fc.constantFrom('chat', 'messages', 'responses');

/** A stream as pieces that end anywhere, also inside a character. */
function readInPieces(stream: string, cuts: readonly number[]) {
  const bytes = new TextEncoder().encode(stream);
  const decoder = new TextDecoder();
  const reader = new AnswerReader();
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    reader.push(decoder.decode(bytes.subarray(from, end), { stream: true }));
    from = end;
  }
  return reader.end();
}

describe('a streamed answer', () => {
  it('is put together whatever the dialect and wherever it is cut into pieces', () => {
    fc.assert(
      fc.property(dialect, said, fc.array(fc.nat()), (name, spoken, cuts) => {
        const stream = STREAMS[name](spoken);
        const answer = readInPieces(stream, cuts);
        expect(answer).toEqual({
          turns: [
            {
              role: 'assistant',
              parts: [
                { kind: 'reasoning', text: spoken.reasoning.join('') },
                { kind: 'text', text: spoken.text.join('') },
                {
                  kind: 'tool-call',
                  callId: 'call_1',
                  name: 'read_file',
                  arguments: spoken.arguments.join(''),
                },
              ],
            },
          ],
          finishReason: 'tool_calls',
          usage: { inputTokens: 14, outputTokens: 12, cachedTokens: 3, reasoningTokens: null },
          timings: { promptMs: 51, predictedMs: 200, promptPerSecond: 215.69, predictedPerSecond: 60 },
          error: null,
          notes: [],
          frameCount: stream.split('\n\n').length - 1,
        });
        expect(readStreamedAnswer(stream.replaceAll('\n', '\r\n'))).toEqual(answer);
      }),
    );
  });

  it('that breaks off anywhere gives what was said before, and says so', () => {
    fc.assert(
      fc.property(dialect, said, fc.nat(), (name, spoken, at) => {
        const stream = STREAMS[name](spoken);
        const end = at % (stream.trimEnd().length - 1);
        const answer = readStreamedAnswer(stream.slice(0, end));
        if (answer === null) return;
        const whole = {
          text: spoken.text.join(''),
          reasoning: spoken.reasoning.join(''),
          'tool-call': spoken.arguments.join(''),
        };
        for (const part of answer.turns.flatMap(({ parts }) => parts)) {
          const read = 'arguments' in part ? part.arguments : 'text' in part ? part.text : '';
          const kind = part.kind === 'text' || part.kind === 'reasoning' ? part.kind : 'tool-call';
          expect(whole[kind].startsWith(read)).toBe(true);
        }
        expect(answer.notes).toHaveLength(1);
      }),
    );
  });

  it('never fails on what is no stream', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.json()), (text, values) => {
        readStreamedAnswer(text);
        readStreamedAnswer(values.map((value) => `data: ${value}\n\n`).join(''));
        for (const value of values) readWholeAnswer(JSON.parse(value));
      }),
    );
    expect(readStreamedAnswer('<html>not a stream</html>')).toBeNull();
  });

  it('keeps the arguments of two calls apart that come interleaved', () => {
    const call = (index: number, value: object): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...value }] } }] })}\n\n`;
    const answer = readStreamedAnswer(
      [
        call(0, { id: 'a', function: { name: 'one', arguments: '{"x"' } }),
        call(1, { id: 'b', function: { name: 'two', arguments: '{"y"' } }),
        call(0, { function: { arguments: ':1}' } }),
        call(1, { function: { arguments: ':2}' } }),
        'data: [DONE]\n\n',
      ].join(''),
    );
    expect(answer?.turns[0]?.parts).toEqual([
      { kind: 'tool-call', callId: 'a', name: 'one', arguments: '{"x":1}' },
      { kind: 'tool-call', callId: 'b', name: 'two', arguments: '{"y":2}' },
    ]);
  });

  it('leaves out frames it cannot read, counts them, and tells of an error inside', () => {
    const answer = readStreamedAnswer(
      'data: {"choices":[{"delta":{"content":"so far"}}]}\n\ndata: {"choices":[{"del\n\nnonsense\n\n' +
        'data: {"error":{"message":"context shift is disabled"}}\n\ndata: [DONE]\n\n',
    );
    expect(answer).toMatchObject({
      turns: [{ parts: [{ kind: 'text', text: 'so far' }] }],
      error: 'context shift is disabled',
      notes: ['1 frame could not be read and left out.', '1 line between the frames belong to none.'],
      frameCount: 4,
    });
  });

  it('makes no list as long as somebody claims', () => {
    const choice = (index: number): string =>
      `data: ${JSON.stringify({ choices: [{ index, delta: { content: 'x' } }] })}\n\n`;
    const many = Array.from({ length: 1000 }, (_, index) => choice(index * 1_000_003)).join('');
    const answer = readStreamedAnswer(many);
    expect(answer?.turns).toHaveLength(64);
    expect(answer?.notes[0]).toBe('Only 64 of its choices are shown.');
  });
});

describe('an answer in one piece', () => {
  it.each([
    [
      'chat',
      {
        choices: [
          { message: { role: 'assistant', reasoning_content: 'hm', content: 'Yes.' }, finish_reason: 'stop' },
        ],
      },
      'stop',
    ],
    [
      'messages',
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Yes.' },
        ],
        stop_reason: 'end_turn',
      },
      'end_turn',
    ],
    [
      'responses',
      {
        object: 'response',
        status: 'completed',
        output: [
          { type: 'reasoning', summary: [{ text: 'hm' }] },
          { type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] },
        ],
      },
      'completed',
    ],
  ])('of the %s kind', (_name, json, finishReason) => {
    expect(readWholeAnswer(json)).toMatchObject({
      turns: [
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: 'hm' },
            { kind: 'text', text: 'Yes.' },
          ],
        },
      ],
      finishReason,
      frameCount: null,
    });
  });

  it('of a text completion, of llama.cpp itself, and none of an embedding', () => {
    expect(readWholeAnswer({ choices: [{ text: 'Once' }] })?.turns[0]?.parts).toEqual([
      { kind: 'text', text: 'Once' },
    ]);
    expect(readWholeAnswer({ content: 'Once', stop: true })?.turns[0]?.parts).toHaveLength(1);
    expect(readWholeAnswer({ object: 'list', data: [], usage: { prompt_tokens: 5 } })).toBeNull();
    expect(readWholeAnswer({ error: { message: 'no' } })?.error).toBe('no');
  });
});
