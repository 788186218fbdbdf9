/** What a test streams: text, reasoning and one tool call, in pieces. */
export interface Said {
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly arguments: readonly string[];
}

const frame = (json: unknown, event: string | null = null): string =>
  `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(json)}\n\n`;

const TIMINGS = { prompt_ms: 51, predicted_ms: 200, prompt_per_second: 215.69, predicted_per_second: 60 };

/** The same said in the stream of each dialect. */
export const STREAMS: Readonly<Record<'chat' | 'messages' | 'responses', (said: Said) => string>> = {
  chat({ reasoning, text, arguments: pieces }) {
    const delta = (value: object, finish: string | null = null): string =>
      frame({ id: 'chatcmpl-1', choices: [{ index: 0, delta: value, finish_reason: finish }] });
    const call = (value: object): string => delta({ tool_calls: [{ index: 0, ...value }] });
    return [
      delta({ role: 'assistant', content: null }),
      ...reasoning.map((piece) => delta({ reasoning_content: piece })),
      ...text.map((piece) => delta({ content: piece })),
      call({ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '' } }),
      ...pieces.map((piece) => call({ function: { arguments: piece } })),
      delta({}, 'tool_calls'),
      frame({
        choices: [],
        usage: { prompt_tokens: 14, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 3 } },
        timings: TIMINGS,
      }),
      'data: [DONE]\n\n',
    ].join('');
  },
  messages({ reasoning, text, arguments: pieces }) {
    const named = (json: { readonly type: string }): string => frame(json, json.type);
    const block = (index: number, content_block: object, deltas: readonly object[]): string =>
      [
        named({ type: 'content_block_start', index, content_block } as { type: string }),
        ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta } as { type: string })),
        named({ type: 'content_block_stop', index } as { type: string }),
      ].join('');
    return [
      named({
        type: 'message_start',
        message: { role: 'assistant', content: [], usage: { input_tokens: 14, cache_read_input_tokens: 3 } },
      } as { type: string }),
      block(
        0,
        { type: 'thinking', thinking: '' },
        reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
      ),
      block(
        1,
        { type: 'text', text: '' },
        text.map((piece) => ({ type: 'text_delta', text: piece })),
      ),
      block(
        2,
        { type: 'tool_use', id: 'call_1', name: 'read_file', input: {} },
        pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
      named({
        type: 'message_delta',
        delta: { stop_reason: 'tool_calls' },
        usage: { output_tokens: 12 },
        timings: TIMINGS,
      } as { type: string }),
      named({ type: 'message_stop' }),
    ].join('');
  },
  responses({ reasoning, text, arguments: pieces }) {
    const named = (type: string, rest: object): string => frame({ type, ...rest }, type);
    const item = { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '' };
    return [
      named('response.created', { response: { object: 'response', output: [] } }),
      ...reasoning.map((delta) => named('response.reasoning_text.delta', { output_index: 0, delta })),
      ...text.map((delta) =>
        named('response.output_text.delta', { output_index: 1, content_index: 0, delta }),
      ),
      named('response.output_item.added', { output_index: 2, item }),
      ...pieces.map((delta) => named('response.function_call_arguments.delta', { output_index: 2, delta })),
      named('response.completed', {
        response: {
          object: 'response',
          status: 'tool_calls',
          output: [{ ...item, arguments: pieces.join('') }],
          usage: {
            input_tokens: 14,
            output_tokens: 12,
            input_tokens_details: { cached_tokens: 3 },
          },
          timings: TIMINGS,
        },
      }),
    ].join('');
  },
};
