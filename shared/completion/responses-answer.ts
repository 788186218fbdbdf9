import type { AnswerDraft } from './answer-draft.ts';
import { at, countAt, listAt, textAt } from './fields.ts';

/** An answer of the Responses API, whole or a frame of its stream. False when `json` is nothing of the kind. */
export function takeResponse(draft: AnswerDraft, json: unknown): boolean {
  if (textAt(json, 'object') === 'response') {
    takeWhole(draft, json);
    return true;
  }
  const type = textAt(json, 'type');
  if (type === null || !type.startsWith('response.')) return false;
  const key = keyOf(json);
  switch (type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      draft.say(0, 'text', textAt(json, 'delta') ?? '', `${key} ${countAt(json, 'content_index') ?? 0}`);
      break;
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      draft.say(0, 'reasoning', textAt(json, 'delta') ?? '', key);
      break;
    case 'response.function_call_arguments.delta':
      draft.call(0, key, { callId: null, name: null, arguments: textAt(json, 'delta') });
      break;
    case 'response.output_item.added': {
      const item = at(json, 'item');
      if (textAt(item, 'type') === 'function_call') {
        draft.call(0, key, { callId: callIdOf(item), name: textAt(item, 'name'), arguments: null });
      }
      break;
    }
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      takeEnd(draft, at(json, 'response'));
      break;
    default:
  }
  return true;
}

/** The last frame repeats the whole answer: it is read only where no piece of it came before. */
function takeEnd(draft: AnswerDraft, response: unknown): void {
  if (draft.isEmpty) takeWhole(draft, response);
  else takeFacts(draft, response);
}

function takeWhole(draft: AnswerDraft, response: unknown): void {
  for (const [index, item] of listAt(response, 'output').entries()) takeItem(draft, item, String(index));
  takeFacts(draft, response);
}

function takeFacts(draft: AnswerDraft, response: unknown): void {
  draft.finish(textAt(response, 'incomplete_details', 'reason') ?? textAt(response, 'status'));
  draft.usage(at(response, 'usage'));
  draft.timings(at(response, 'timings'));
  const error = at(response, 'error');
  if (error !== null && error !== undefined) draft.error(error);
}

function takeItem(draft: AnswerDraft, item: unknown, key: string): void {
  switch (textAt(item, 'type')) {
    case 'message':
      for (const [index, part] of listAt(item, 'content').entries()) {
        draft.say(0, 'text', textAt(part, 'text') ?? textAt(part, 'refusal') ?? '', `${key} ${index}`);
      }
      return;
    case 'reasoning':
      for (const part of [...listAt(item, 'content'), ...listAt(item, 'summary')]) {
        draft.say(0, 'reasoning', textAt(part, 'text') ?? '', key);
      }
      return;
    case 'function_call':
      return draft.call(0, key, {
        callId: callIdOf(item),
        name: textAt(item, 'name'),
        arguments: textAt(item, 'arguments'),
      });
    default:
      return;
  }
}

function callIdOf(item: unknown): string | null {
  return textAt(item, 'call_id') ?? textAt(item, 'id');
}

function keyOf(json: unknown): string {
  return String(countAt(json, 'output_index') ?? textAt(json, 'item_id') ?? 0);
}
