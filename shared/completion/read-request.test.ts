import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCompletionRequest } from './read-request.ts';

it('reads the turns of a chat with a call, its result, and a picture', () => {
  const request = readCompletionRequest({
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,[12 bytes, not kept]' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    ],
    tools: [{ type: 'function', function: { name: 'look' } }],
  });
  expect(request).toEqual({
    tools: ['look'],
    turns: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be short.' }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'What is this?' },
          { kind: 'media', mediaType: 'image/png', detail: 'data:image/png;base64,[12 bytes, not kept]' },
        ],
      },
      {
        role: 'assistant',
        parts: [{ kind: 'tool-call', callId: 'c1', name: 'look', arguments: '{"at":1}' }],
      },
      { role: 'tool', parts: [{ kind: 'tool-result', callId: 'c1', text: 'a cat' }] },
    ],
  });
});

it('reads the other dialects', () => {
  expect(readCompletionRequest({ prompt: 'Once upon' })?.turns).toEqual([
    { role: 'prompt', parts: [{ kind: 'text', text: 'Once upon' }] },
  ]);
  const messages = readCompletionRequest({
    system: [{ type: 'text', text: 'Be short.' }],
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a cat' }] },
    ],
  });
  expect(messages?.turns.flatMap(({ parts }) => parts)).toEqual([
    { kind: 'text', text: 'Be short.' },
    { kind: 'tool-call', callId: 'c1', name: 'look', arguments: '{"at":1}' },
    { kind: 'tool-result', callId: 'c1', text: 'a cat' },
  ]);
  const responses = readCompletionRequest({
    instructions: 'Be short.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
    ],
  });
  expect(responses?.turns.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(readCompletionRequest({ input: ['a', 'b'] })?.turns).toHaveLength(2);
});

it('finds nothing in what is none, and fails at nothing', () => {
  expect(readCompletionRequest({ model: 'coder' })).toBeNull();
  fc.assert(fc.property(fc.json(), (json) => void readCompletionRequest(JSON.parse(json))));
});
