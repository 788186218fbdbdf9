import { z } from 'zod';
import { boundedText } from '../lib/bounded-text.ts';
import { redactText } from '../lib/redact.ts';
import { lenient } from './lenient.ts';

const MAX_MESSAGE_LENGTH = 500;
const MAX_BODY_LENGTH = 16_384;

const errorReply = z.object({
  error: z
    .union([z.string(), z.object({ message: z.string() })])
    .nullish()
    .catch(null),
  message: lenient(z.string()),
  detail: lenient(z.string()),
  msg: lenient(z.string()),
});

/**
 * The message of an error answer in any dialect llama-swap and its upstreams speak: plain text, a small HTML page,
 * `{error: string}`, `{src, error: {message}}`, JSON broken by unescaped quotes (v218–v224), or nothing (null). It is
 * redacted and at most 500 characters.
 */
export function readErrorBody(body: string): string | null {
  const text = body.slice(0, MAX_BODY_LENGTH).trim();
  const message = (text.startsWith('{') ? readJson(text) : readText(text)).replace(/\s+/g, ' ').trim();
  return message === '' ? null : boundedText(redactText(message), MAX_MESSAGE_LENGTH);
}

function readJson(text: string): string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // v218–v224 paste the message between the quotes as it is: it reaches from the first quote to the last.
    const opening = /"error"\s{0,8}:\s{0,8}"/.exec(text);
    if (!opening) return text;
    const start = opening.index + opening[0].length;
    const end = text.lastIndexOf('"');
    return end > start ? text.slice(start, end) : text.slice(start);
  }
  const reply = errorReply.safeParse(json);
  if (!reply.success) return text;
  const { error, message, detail, msg } = reply.data;
  return (typeof error === 'string' ? error : error?.message) ?? message ?? detail ?? msg ?? text;
}

function readText(text: string): string {
  if (!text.startsWith('<')) return text.replace(/^llama-swap: /, '');
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return title || text.replace(/<(script|style)[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}
