import { parseInferenceBody } from './completion.ts';
import type { LlamaSwap } from './llama-swap.ts';
import type { Caller, ServeRequest } from './caller.ts';
import { errorAnswer } from './wire/answer.ts';
import type { Answer } from './wire/answer.ts';

/** Name of the model in a request's body; null when there is none. */
export function modelOfBody(body: string): string | null {
  return parseInferenceBody(body)?.model ?? null;
}

/** No local model, peer or selector has the name. */
export function unknownModel(host: LlamaSwap, caller: Caller, request: ServeRequest): Answer {
  const { traits } = host;
  const accept = caller.headers['Accept'] ?? '';
  if (request.viaUpstream) {
    return errorAnswer(traits, accept, { status: 404, message: 'model not found' });
  }
  if (traits.server === 'mux') {
    return errorAnswer(traits, accept, { status: 404, message: 'no router for requested model' });
  }
  const what = traits.slashesInUpstream ? 'suitable inference handler' : 'real modelID';
  return errorAnswer(traits, accept, {
    status: 400,
    message: `could not find ${what} for ${request.modelName}`,
  });
}

/** Text of `error_msg`: what the body says, else the status in words. */
export function errorText(body: string, status: number): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed) {
      const { error } = parsed;
      if (typeof error === 'string') return error;
      if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
    }
  } catch {
    // Not JSON: the status says what there is to say.
  }
  const words: Readonly<Record<number, string>> = {
    404: 'Not Found',
    429: 'Too Many Requests',
    500: 'Internal Server Error',
    502: 'Bad Gateway',
  };
  return `${status} ${words[status] ?? 'Error'}`;
}

/** The row's `src`. */
export function sourceOf(caller: Caller, readsForwarded: boolean): string {
  const forwarded = caller.headers['X-Forwarded-For'];
  if (forwarded !== undefined && readsForwarded) return `xff:${forwarded.split(',')[0]?.trim() ?? ''}`;
  return `ip:${caller.remoteIp}`;
}

const SECRET_HEADERS = ['Authorization', 'Proxy-Authorization', 'Cookie', 'Set-Cookie', 'X-Api-Key'];

/** Headers as they may be stored. */
export function hideSecrets(
  headers: Readonly<Record<string, string>>,
  how: 'removed' | 'redacted',
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    how === 'removed'
      ? entries.filter(([name]) => !SECRET_HEADERS.includes(name))
      : entries.map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '[REDACTED]' : value]),
  );
}
