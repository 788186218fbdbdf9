import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { Capture, CaptureBody } from '#shared/schemas/capture.ts';
import type { CompletionAnswer, CompletionTimings, CompletionTurn } from '#shared/schemas/completion.ts';
import { readJson } from '#shared/completion/fields.ts';
import { readCompletionRequest } from '#shared/completion/read-request.ts';
import { formatBytes, formatDuration, formatRate, plural } from '../../../ui/format.ts';

/** A stretch of a request's time. */
export interface TimeShare {
  readonly kind: 'other' | 'prefill' | 'decode';
  readonly ms: number;
  readonly words: string;
}

/**
 * Where the time of a request went: the model server's own timings, else what its speeds say; the rest is queue, network
 * and loading. Null where none of it is known.
 */
export function timeShares(
  row: ActivityRequest,
  timings: CompletionTimings | null,
): readonly TimeShare[] | null {
  const prefillMs = timings?.promptMs ?? spent(row.inputTokens, row.promptPerSecond);
  const decodeMs = timings?.predictedMs ?? spent(row.outputTokens, row.tokensPerSecond);
  if (row.durationMs === null || (prefillMs === null && decodeMs === null)) return null;
  const otherMs = Math.max(0, row.durationMs - (prefillMs ?? 0) - (decodeMs ?? 0));
  const shares: TimeShare[] = [
    { kind: 'other', ms: otherMs, words: `${formatDuration(otherMs)} queue, load, network` },
  ];
  if (prefillMs !== null) {
    const rate = timings?.promptPerSecond ?? row.promptPerSecond;
    shares.push({
      kind: 'prefill',
      ms: prefillMs,
      words: `${formatDuration(prefillMs)} prefill${speed(rate)}`,
    });
  }
  if (decodeMs !== null) {
    const rate = timings?.predictedPerSecond ?? row.tokensPerSecond;
    shares.push({ kind: 'decode', ms: decodeMs, words: `${formatDuration(decodeMs)} decode${speed(rate)}` });
  }
  return shares;
}

function spent(tokens: number | null, perSecond: number | null): number | null {
  return tokens === null || perSecond === null || perSecond <= 0 ? null : (tokens / perSecond) * 1000;
}

function speed(perSecond: number | null): string {
  return perSecond === null ? '' : `, ${formatRate(perSecond)} t/s`;
}

/** What was said, from the first turn of the request to the end of the answer. */
export interface Conversation {
  readonly turns: readonly (CompletionTurn & { readonly isAnswer: boolean })[];
  /** Tools on offer. */
  readonly tools: readonly string[];
  readonly answer: CompletionAnswer | null;
}

/** The conversation of a capture; null where neither side is of a kind that can be read. */
export function conversationOf({
  request,
  answer,
}: Pick<Capture, 'request' | 'answer'>): Conversation | null {
  const asked = request.body.kind === 'text' ? readCompletionRequest(readJson(request.body.text)) : null;
  if (asked === null && answer === null) return null;
  return {
    turns: [
      ...(asked?.turns ?? []).map((turn) => ({ ...turn, isAnswer: false })),
      ...(answer?.turns ?? []).map((turn) => ({ ...turn, isAnswer: true })),
    ],
    tools: asked?.tools ?? [],
    answer,
  };
}

/** How an answer ended and who says so: `Stopped by stop · usage from the server`. */
export function endWords(answer: CompletionAnswer): string {
  const parts = [
    answer.finishReason === null ? null : `Stopped by ${answer.finishReason}`,
    answer.usage === null ? 'no usage reported' : 'usage from the server',
    answer.timings === null ? null : 'timings from llama.cpp, not from our clock',
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** What is not here of a body, in a sentence; null: all of it is. */
export function bodyNote(body: CaptureBody, side: 'request' | 'answer'): string | null {
  switch (body.kind) {
    case 'none':
      return side === 'request' ? 'The host kept no request body.' : 'The host kept no answer.';
    case 'binary':
      return `${body.mediaType ?? 'No text'}, ${formatBytes(body.sizeBytes)}: not shown, and not kept.`;
    case 'withheld':
      return `${formatBytes(body.sizeBytes)} of frames are not kept: a secret was spread over several of them. The answer put together, without it, is under Conversation.`;
    case 'text': {
      const broken =
        body.brokenAt === null
          ? null
          : `What the host sent breaks after ${formatBytes(body.brokenAt)}; the rest could not be decoded.`;
      const cut =
        body.omittedBytes === 0
          ? null
          : `${formatBytes(body.omittedBytes)} of ${formatBytes(body.sizeBytes)} were left out, where the text says so.`;
      return [broken, cut].filter((part) => part !== null).join(' ') || null;
    }
  }
}

/** `2 values redacted`. */
export function redactedWords(count: number): string {
  return count === 0 ? 'nothing redacted' : `${plural(count, 'value')} redacted`;
}

/** A piece of text: prose, or what stands between fences of backticks. */
export interface TextSegment {
  readonly kind: 'prose' | 'code';
  readonly text: string;
}

/** Splits text at its code fences; one that is never closed reaches to the end. */
export function splitCode(text: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let kind: TextSegment['kind'] = 'prose';
  let lines: string[] = [];
  const close = (): void => {
    const joined = lines.join('\n');
    if (joined.trim() !== '') segments.push({ kind, text: kind === 'prose' ? joined.trim() : joined });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (!/^\s{0,3}```/.test(line)) {
      lines.push(line);
      continue;
    }
    close();
    kind = kind === 'prose' ? 'code' : 'prose';
  }
  close();
  return segments;
}

/** JSON laid out in lines; null when `text` is none. */
export function prettyJson(text: string): string | null {
  const json = readJson(text);
  return typeof json === 'object' && json !== null ? JSON.stringify(json, null, 2) : null;
}

/** A conversation as text for the clipboard. */
export function conversationText({ turns }: Conversation): string {
  const blocks = turns.flatMap(({ role, parts }) =>
    parts.map((part) => {
      switch (part.kind) {
        case 'tool-call':
          return `${role}, calls ${part.name}:\n${part.arguments}`;
        case 'media':
          return `${role}: [${part.mediaType ?? 'media'}]`;
        case 'reasoning':
          return `${role}, reasoning:\n${part.text}`;
        default:
          return `${role}:\n${part.text}`;
      }
    }),
  );
  return blocks.join('\n\n');
}
