import type { AnswerDraft } from './answer-draft.ts';
import { at, countAt, listAt, textAt } from './fields.ts';

/** A message in Anthropic's words, whole or a frame of its stream. False when `json` is nothing of the kind. */
export function takeMessage(draft: AnswerDraft, json: unknown): boolean {
  switch (textAt(json, 'type')) {
    case 'message':
      takeWhole(draft, json);
      return true;
    case 'message_start':
      takeWhole(draft, at(json, 'message'));
      return true;
    case 'content_block_start':
      takeBlock(draft, at(json, 'content_block'), countAt(json, 'index') ?? 0);
      return true;
    case 'content_block_delta':
      takeDelta(draft, at(json, 'delta'), countAt(json, 'index') ?? 0);
      return true;
    case 'message_delta':
      draft.finish(textAt(json, 'delta', 'stop_reason'));
      draft.usage(at(json, 'usage'));
      draft.timings(at(json, 'timings'));
      return true;
    case 'content_block_stop':
    case 'message_stop':
      draft.timings(at(json, 'timings'));
      return true;
    case 'ping':
      return true;
    default:
      return false;
  }
}

function takeWhole(draft: AnswerDraft, message: unknown): void {
  const role = textAt(message, 'role');
  if (role !== null) draft.role(0, role);
  for (const [index, block] of listAt(message, 'content').entries()) takeBlock(draft, block, index);
  draft.finish(textAt(message, 'stop_reason'));
  draft.usage(at(message, 'usage'));
  draft.timings(at(message, 'timings'));
}

function takeBlock(draft: AnswerDraft, block: unknown, index: number): void {
  const key = String(index);
  switch (textAt(block, 'type')) {
    case 'text':
      return draft.say(0, 'text', textAt(block, 'text') ?? '', key);
    case 'thinking':
      return draft.say(0, 'reasoning', textAt(block, 'thinking') ?? '', key);
    case 'tool_use': {
      const input = at(block, 'input');
      // A stream begins with an empty object, and the arguments follow as text.
      const isGiven = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
      return draft.call(0, key, {
        callId: textAt(block, 'id'),
        name: textAt(block, 'name'),
        arguments: isGiven ? JSON.stringify(input) : null,
      });
    }
    default:
      return;
  }
}

function takeDelta(draft: AnswerDraft, delta: unknown, index: number): void {
  const key = String(index);
  switch (textAt(delta, 'type')) {
    case 'text_delta':
      return draft.say(0, 'text', textAt(delta, 'text') ?? '', key);
    case 'thinking_delta':
      return draft.say(0, 'reasoning', textAt(delta, 'thinking') ?? '', key);
    case 'input_json_delta':
      return draft.call(0, key, { callId: null, name: null, arguments: textAt(delta, 'partial_json') });
    default:
      return;
  }
}
