import { boundedText } from '#shared/lib/bounded-text.ts';
import { readJson } from '#shared/completion/fields.ts';
import { readStreamedAnswer, readWholeAnswer } from '#shared/completion/read-answer.ts';
import type { CaptureBody, CaptureContent } from '#shared/schemas/capture.ts';
import { type CompletionAnswer, completionAnswer } from '#shared/schemas/completion.ts';
import { type CaptureReply, captureReply } from '#shared/upstream/capture.ts';
import { decodeBase64, readBody } from './capture-bytes.ts';
import { fitJson, type JsonMap, mapJson } from './fit-json.ts';
import { cleanFrames, type FittedText, fitFrames, fitJsonText, fitPlainText } from './fit-text.ts';
import { Redactor, type RedactionRules } from './redactor.ts';

/** A capture as its host sent it, read. */
export interface ReadCapture {
  /** What tells whether it is the capture that was meant. */
  readonly id: number;
  readonly path: string | null;
  /** The answer's own `Date`, by the host's clock; null: it says none. */
  readonly answeredAt: number | null;
  readonly content: CaptureContent;
}

/** Frames of a longer stream are withheld as soon as its answer holds a secret: cleaning each would take too long. */
const MAX_COMPARED_CHARS = 8_000_000;
const MAX_HEADERS = 100;
const MAX_HEADER_CHARS = 2048;
/** What is tried again with less room, when letters turned out to take more bytes than one. */
const SHRINKS = [1, 0.6, 0.35, 0.15, 0.05] as const;
const NOTHING = {
  request: { headers: null, body: { kind: 'none' } },
  response: { headers: null, body: { kind: 'none' } },
  answer: null,
} as const;

/**
 * Reads a capture: bodies decoded, secrets taken out and counted, the answer put together from all of it, and then
 * everything cut to `maxBytes`. Null when `text` is no capture.
 */
export function readCapture(
  text: string,
  options: RedactionRules & { readonly maxBytes: number },
): ReadCapture | null {
  const parsed = captureReply.safeParse(readJson(text));
  if (!parsed.success) return null;
  const reply = parsed.data;
  const request = readSide(reply.req_headers, reply.req_body);
  const response = readSide(reply.resp_headers, reply.resp_body);
  const answer = readAnswer(response);
  const isSpread = answer !== null && showsMoreTogether(response, answer, options);
  const date = Date.parse(response.headers?.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
  const facts = {
    id: reply.id,
    path: reply.req_path ?? null,
    answeredAt: Number.isNaN(date) ? null : date,
  };
  for (const share of SHRINKS) {
    const content = contentOf({ request, response, answer, isSpread }, options, options.maxBytes * share);
    const sizeBytes = new TextEncoder().encode(JSON.stringify(content)).length;
    if (sizeBytes <= options.maxBytes) return { ...facts, content };
  }
  return { ...facts, content: { ...NOTHING, redactions: 0 } };
}

type Headers = readonly (readonly [name: string, value: string])[];

interface Side {
  readonly headers: Headers | null;
  /** Null: the host kept none. */
  readonly body: {
    readonly sizeBytes: number;
    readonly brokenAt: number | null;
    readonly mediaType: string | null;
  } | null;
  /** Null: the body is no text. */
  readonly text: string | null;
  readonly isStream: boolean;
}

function readSide(headers: CaptureReply['req_headers'], base64: string | null | undefined): Side {
  const list = headers ? headerList(headers) : null;
  const find = (wanted: string) => list?.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
  if (base64 === null || base64 === undefined || base64 === '') {
    return { headers: list, body: null, text: null, isStream: false };
  }
  const decoded = decodeBase64(base64);
  const contentType = find('content-type');
  const read = readBody(decoded, { contentType, contentEncoding: find('content-encoding') });
  const text = read.kind === 'text' ? read.text : null;
  return {
    headers: list,
    body: {
      sizeBytes: decoded.bytes.length,
      brokenAt: decoded.brokenAt,
      mediaType: read.kind === 'binary' ? read.mediaType : null,
    },
    text,
    isStream:
      text !== null &&
      ((contentType?.includes('text/event-stream') ?? false) ||
        /^\s*(?:data|event):/.test(text.slice(0, 200))),
  };
}

function headerList(headers: Readonly<Record<string, unknown>>): Headers {
  return Object.entries(headers)
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const text = values.filter((item) => typeof item === 'string').join(', ');
      return [boundedText(name, 128), boundedText(text, MAX_HEADER_CHARS)];
    });
}

function readAnswer({ text, isStream }: Side): CompletionAnswer | null {
  if (text === null) return null;
  return isStream ? readStreamedAnswer(text) : readWholeAnswer(readJson(text));
}

/**
 * Whether the frames, each cleaned by itself, give away what the cleaned answer does not: a secret may come in several of
 * them, of which none shows it, or only its beginning.
 */
function showsMoreTogether(
  { text, isStream }: Side,
  answer: CompletionAnswer,
  rules: RedactionRules,
): boolean {
  if (!isStream || text === null) return false;
  const redactor = new Redactor(rules);
  const cleaned = mapJson(answer, answerMap(redactor));
  if (redactor.count === 0) return false;
  if (text.length > MAX_COMPARED_CHARS) return true;
  const together = readStreamedAnswer(cleanFrames(text, new Redactor(rules)));
  return JSON.stringify(together) !== JSON.stringify(cleaned);
}

/** What a part is, is a word of ours: a configured pattern that matches it must not make the answer unreadable. */
function answerMap(redactor: Redactor): JsonMap {
  return { text: (text, name) => (name === 'kind' ? text : redactor.text(text)) };
}

function contentOf(
  read: {
    readonly request: Side;
    readonly response: Side;
    readonly answer: CompletionAnswer | null;
    readonly isSpread: boolean;
  },
  rules: RedactionRules,
  maxChars: number,
): CaptureContent {
  const redactor = new Redactor(rules);
  const requestHeaders = cleanHeaders(read.request.headers, redactor);
  const responseHeaders = cleanHeaders(read.response.headers, redactor);
  const room = Math.max(0, maxChars - JSON.stringify([requestHeaders, responseHeaders]).length - 512);

  // The answer first, since the rest of the room is worth most to it; then the question; then what the frames were.
  const answered = new Redactor(rules);
  const answer = fitAnswer(read.answer, room * 0.4, answered);
  const afterAnswer = room - (answer === null ? 0 : JSON.stringify(answer).length);
  const responseChars = Math.min(read.response.text?.length ?? 0, afterAnswer / 2);
  const requestBody = bodyOf(read.request, afterAnswer - responseChars, redactor);
  const used = requestBody.kind === 'text' ? requestBody.text.length : 0;
  const framed = new Redactor(rules);
  const raw = bodyOf(read.response, Math.max(0, afterAnswer - used), framed);
  const response: CaptureBody =
    read.isSpread && read.response.body ? { kind: 'withheld', sizeBytes: read.response.body.sizeBytes } : raw;
  return {
    redactions: redactor.count + Math.max(answered.count, framed.count),
    request: { headers: requestHeaders, body: requestBody },
    response: { headers: responseHeaders, body: response },
    answer,
  };
}

function cleanHeaders(headers: Headers | null, redactor: Redactor) {
  return headers?.map(([name, value]) => ({ name, value: redactor.header(name, value) })) ?? null;
}

function fitAnswer(
  answer: CompletionAnswer | null,
  maxChars: number,
  redactor: Redactor,
): CompletionAnswer | null {
  if (answer === null) return null;
  const fitted = fitJson(answer, maxChars, answerMap(redactor));
  if (fitted !== null) return completionAnswer.parse(fitted.value);
  const { finishReason, usage, timings, frameCount } = answer;
  const notes = ['The answer is in more pieces than can be kept.'];
  return { turns: [], finishReason, usage, timings, error: null, notes, frameCount };
}

function bodyOf(side: Side, maxChars: number, redactor: Redactor): CaptureBody {
  const { body, text } = side;
  if (body === null) return { kind: 'none' };
  if (text === null) return { kind: 'binary', mediaType: body.mediaType, sizeBytes: body.sizeBytes };
  const limit = Math.floor(maxChars);
  const fitted: FittedText = side.isStream
    ? fitFrames(text, limit, redactor)
    : (fitJsonText(text, limit, redactor) ?? fitPlainText(text, limit, redactor));
  return { kind: 'text', ...fitted, sizeBytes: body.sizeBytes, brokenAt: body.brokenAt };
}
