import type { AnswerDraft } from './answer-draft.ts';
import { at, countAt, listAt, textAt } from './fields.ts';

/**
 * A chat or text completion in OpenAI's words, whole or a frame of its stream; also llama.cpp's own `/completion`. False
 * when `json` is nothing of the kind.
 */
export function takeChat(draft: AnswerDraft, json: unknown): boolean {
  const choices = at(json, 'choices');
  const bare = textAt(json, 'content');
  const isChat = Array.isArray(choices) || bare !== null;
  const hasUsage = typeof at(json, 'usage') === 'object' || typeof at(json, 'timings') === 'object';
  if (!isChat && !hasUsage) return false;
  if (bare !== null) draft.say(0, 'text', bare);
  for (const [place, choice] of listAt(json, 'choices').entries()) takeChoice(draft, choice, place);
  draft.finish(textAt(json, 'stop_type'));
  draft.usage(at(json, 'usage'));
  draft.timings(at(json, 'timings'));
  return true;
}

function takeChoice(draft: AnswerDraft, choice: unknown, place: number): void {
  const turn = countAt(choice, 'index') ?? place;
  const text = textAt(choice, 'text');
  if (text !== null) draft.say(turn, 'text', text);
  const message = at(choice, 'delta') ?? at(choice, 'message');
  const role = textAt(message, 'role');
  if (role !== null) draft.role(turn, role);
  // llama.cpp and older vLLM say `reasoning_content`, newer vLLM and others `reasoning`.
  const reasoning = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning');
  if (reasoning !== null) draft.say(turn, 'reasoning', reasoning);
  const content = at(message, 'content');
  if (typeof content === 'string') draft.say(turn, 'text', content);
  for (const part of Array.isArray(content) ? content : [])
    draft.say(turn, 'text', textAt(part, 'text') ?? '');
  draft.say(turn, 'text', textAt(message, 'refusal') ?? '');
  for (const [order, call] of listAt(message, 'tool_calls').entries()) {
    draft.call(turn, String(countAt(call, 'index') ?? order), {
      callId: textAt(call, 'id'),
      name: textAt(call, 'function', 'name'),
      arguments: textAt(call, 'function', 'arguments'),
    });
  }
  const legacy = at(message, 'function_call');
  if (typeof legacy === 'object' && legacy !== null) {
    draft.call(turn, 'function_call', {
      callId: null,
      name: textAt(legacy, 'name'),
      arguments: textAt(legacy, 'arguments'),
    });
  }
  if (typeof at(message, 'audio') === 'object') draft.media(turn, 'audio', 'sound');
  draft.finish(textAt(choice, 'finish_reason'));
}
