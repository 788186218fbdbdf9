import type { CompletionTurn, TurnPart } from '../schemas/completion.ts';
import { at, listAt, textAt } from './fields.ts';

/** What was asked, in turns, and the tools the model might call. */
export interface CompletionRequest {
  readonly turns: readonly CompletionTurn[];
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
}

/**
 * Reads a request to any of the completion routes: chat, text, Responses, Anthropic's messages, embeddings, reranking.
 * Null when there is nothing in it that somebody said.
 */
export function readCompletionRequest(json: unknown): CompletionRequest | null {
  const turns = [
    ...systemTurns(json),
    ...listAt(json, 'messages').flatMap(messageTurns),
    ...promptTurns(json),
    ...inputTurns(json),
  ];
  const tools = listAt(json, 'tools').flatMap(
    (tool) => textAt(tool, 'function', 'name') ?? textAt(tool, 'name') ?? [],
  );
  return turns.length === 0 ? null : { turns, tools };
}

/** Anthropic's `system`, the Responses API's `instructions`. */
function systemTurns(json: unknown): CompletionTurn[] {
  const parts = [at(json, 'system'), at(json, 'instructions')].flatMap(contentParts);
  return parts.length === 0 ? [] : [{ role: 'system', parts }];
}

function messageTurns(message: unknown): readonly CompletionTurn[] {
  const role = textAt(message, 'role') ?? 'unknown';
  const content = contentParts(at(message, 'content'));
  const reasoning = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning') ?? '';
  const calls = listAt(message, 'tool_calls').map((call): TurnPart => ({
    kind: 'tool-call',
    callId: textAt(call, 'id'),
    name: textAt(call, 'function', 'name') ?? '',
    arguments: argumentsText(at(call, 'function', 'arguments')),
  }));
  const result = role === 'tool' || role === 'function';
  const parts: TurnPart[] = [
    ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...(result
      ? [{ kind: 'tool-result', callId: textAt(message, 'tool_call_id'), text: textOf(content) } as const]
      : content),
    ...calls,
  ];
  return parts.length === 0 ? [] : [{ role, parts }];
}

function promptTurns(json: unknown): readonly CompletionTurn[] {
  const prompt = at(json, 'prompt') ?? at(json, 'query');
  const parts = (Array.isArray(prompt) ? prompt : [prompt]).flatMap(contentParts);
  return parts.length === 0 ? [] : [{ role: 'prompt', parts }];
}

/** `input`: a text, texts to embed, or the turns of the Responses API. */
function inputTurns(json: unknown): readonly CompletionTurn[] {
  const input = at(json, 'input');
  if (typeof input === 'string') return [{ role: 'user', parts: contentParts(input) }];
  return listAt(json, 'input').flatMap((item): readonly CompletionTurn[] => {
    if (typeof item === 'string') return [{ role: 'user', parts: contentParts(item) }];
    switch (textAt(item, 'type')) {
      case 'function_call': {
        const callId = textAt(item, 'call_id');
        const name = textAt(item, 'name') ?? '';
        const call = {
          kind: 'tool-call',
          callId,
          name,
          arguments: argumentsText(at(item, 'arguments')),
        } as const;
        return [{ role: 'assistant', parts: [call] }];
      }
      case 'function_call_output': {
        const text = textOf(contentParts(at(item, 'output')));
        return [{ role: 'tool', parts: [{ kind: 'tool-result', callId: textAt(item, 'call_id'), text }] }];
      }
      case 'reasoning': {
        const parts = listAt(item, 'summary').flatMap((part): TurnPart[] => {
          const text = textAt(part, 'text');
          return text === null ? [] : [{ kind: 'reasoning', text }];
        });
        return parts.length === 0 ? [] : [{ role: 'assistant', parts }];
      }
      default:
        return messageTurns(item);
    }
  });
}

function contentParts(content: unknown): TurnPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return Array.isArray(content) ? content.flatMap(contentPart) : [];
}

function contentPart(part: unknown): TurnPart[] {
  if (typeof part === 'string') return contentParts(part);
  const type = textAt(part, 'type') ?? '';
  switch (type) {
    case 'thinking':
      return [{ kind: 'reasoning', text: textAt(part, 'thinking') ?? '' }];
    case 'tool_use':
      return [
        {
          kind: 'tool-call',
          callId: textAt(part, 'id'),
          name: textAt(part, 'name') ?? '',
          arguments: argumentsText(at(part, 'input')),
        },
      ];
    case 'tool_result': {
      const text = textOf(contentParts(at(part, 'content')));
      return [{ kind: 'tool-result', callId: textAt(part, 'tool_use_id'), text }];
    }
    case 'image_url':
    case 'input_image':
    case 'image':
    case 'input_audio':
    case 'audio_url':
    case 'video_url':
    case 'file':
    case 'input_file':
    case 'document':
      return [mediaPart(type, part)];
    default: {
      const text = textAt(part, 'text');
      return text === null ? [] : [{ kind: 'text', text }];
    }
  }
}

/** An image or sound: the type it says it has, and where it was, but for its bytes. */
function mediaPart(type: string, part: unknown): TurnPart {
  const url =
    textAt(part, 'image_url', 'url') ??
    textAt(part, 'image_url') ??
    textAt(part, 'audio_url', 'url') ??
    textAt(part, 'video_url', 'url') ??
    textAt(part, 'source', 'url') ??
    textAt(part, 'file', 'filename');
  const data = textAt(part, 'source', 'data') ?? textAt(part, 'input_audio', 'data');
  const inUrl = url === null ? null : /^data:([^;,]{1,100})/.exec(url);
  const format = textAt(part, 'input_audio', 'format');
  const mediaType =
    inUrl?.[1] ?? textAt(part, 'source', 'media_type') ?? (format === null ? null : `audio/${format}`);
  return { kind: 'media', mediaType: mediaType ?? type, detail: (url ?? data)?.slice(0, 200) ?? null };
}

function textOf(parts: readonly TurnPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : `[${part.kind}]`)).join('\n');
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
