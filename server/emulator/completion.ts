import { z } from 'zod';
import type { ModelConfig } from './config.ts';
import type { ServingScript } from './serving-script.ts';
import { scriptOfPrompt } from './serving-script.ts';
import type { ReportedUsage, Timings } from './usage.ts';

/** One write of an answer's body, `afterMs` after the previous one. */
export interface Part {
  readonly afterMs: number;
  readonly chunk: string;
  /** It carries generated text. */
  readonly token: boolean;
}

/** A model server's whole answer, decided before its first byte. */
export interface Plan {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Streams send their headers before the prompt is read; other answers when they are done. */
  readonly headersFirst: boolean;
  readonly parts: readonly Part[];
  readonly end: 'complete' | 'die' | 'cut';
  /** What the answer says about itself, if it gets that far. */
  readonly reported: ReportedUsage;
  readonly outputTokens: number;
  readonly completionId: string;
}

const body = z.looseObject({
  model: z.string().optional(),
  messages: z.array(z.looseObject({ content: z.unknown() })).optional(),
  prompt: z.unknown().optional(),
  input: z.unknown().optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
});

/** An inference request as its body says, or null when that is no JSON object. */
export type InferenceBody = z.infer<typeof body>;

/** Reads a request's body. */
export function parseInferenceBody(text: string): InferenceBody | null {
  try {
    return body.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const WORDS =
  'the quick brown fox jumps over the lazy dog while the router waits and a small model hums'.split(' ');
const DEFAULT_OUTPUT = 12;
const MAX_OUTPUT = 20_000;
const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** Plans the answer of a chat or text completion. */
export function planCompletion(
  model: ModelConfig,
  request: InferenceBody,
  options: { readonly kind: 'chat' | 'text'; readonly sequence: number; readonly script: ServingScript },
): Plan {
  const prompt = promptText(request);
  const script = { ...scriptOfPrompt(prompt), ...options.script };
  const completionId = `${options.kind === 'chat' ? 'chatcmpl' : 'cmpl'}-${options.sequence}`;
  if (script.status !== undefined) return planStatus(script.status, script.body, completionId);
  if (script.dieAtOnce) return planDeath(completionId);

  const asked = request.max_completion_tokens ?? request.max_tokens ?? DEFAULT_OUTPUT;
  const outputTokens = Math.min(script.outputTokens ?? asked, MAX_OUTPUT);
  const promptTokens = script.promptTokens ?? 10 + Math.ceil(prompt.length / 4);
  const cachedTokens = Math.min(script.cachedTokens ?? 3, promptTokens);
  const tokensPerSecond = script.tokensPerSecond ?? model.tokensPerSecond;
  const promptPerSecond = script.promptTokensPerSecond ?? model.promptTokensPerSecond;
  const evaluated = promptTokens - cachedTokens;
  const promptMs = (evaluated / promptPerSecond) * 1000;
  const itlMs = 1000 / tokensPerSecond;
  const timings: Timings = {
    cache_n: cachedTokens,
    prompt_n: evaluated,
    prompt_ms: round(promptMs),
    prompt_per_token_ms: round(1000 / promptPerSecond),
    prompt_per_second: round(promptPerSecond),
    predicted_n: outputTokens,
    predicted_ms: round(outputTokens * itlMs),
    predicted_per_token_ms: round(itlMs),
    predicted_per_second: round(tokensPerSecond),
    ...(script.draft ? { draft_n: outputTokens + 8, draft_n_accepted: outputTokens + 1 } : {}),
  };
  const usage = {
    completion_tokens: outputTokens,
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
  const llama = model.backend === 'llama.cpp';
  const silent = script.usage === false;
  const vllm =
    script.vllmMetrics && !llama
      ? { timeToFirstTokenMs: round(promptMs + itlMs), meanItlMs: round(itlMs) }
      : null;
  const withUsage = !silent && (!request.stream || request.stream_options?.include_usage === true);
  const reported: ReportedUsage = {
    usage: withUsage ? { promptTokens, outputTokens, cachedTokens } : null,
    timings: llama && !silent ? timings : null,
    vllm,
  };
  const tail = {
    ...(withUsage ? { usage } : {}),
    ...(llama && !silent ? { timings } : {}),
    ...(vllm
      ? {
          metrics: {
            time_to_first_token_ms: vllm.timeToFirstTokenMs,
            mean_itl_ms: vllm.meanItlMs,
            tokens_per_second: round(tokensPerSecond),
          },
        }
      : {}),
  };
  const created = 1_756_000_000 + options.sequence;
  const name = request.model ?? model.id;
  const words = Array.from(
    { length: outputTokens },
    (_, at) => `${at === 0 ? '' : ' '}${WORDS[at % WORDS.length] ?? ''}`,
  );

  if (!request.stream) {
    const text = words.join('');
    const choice =
      options.kind === 'chat'
        ? { index: 0, finish_reason: 'stop', message: messageOf(text, script) }
        : { index: 0, finish_reason: 'stop', text, logprobs: null };
    const object = options.kind === 'chat' ? 'chat.completion' : 'text_completion';
    const whole = JSON.stringify({
      id: completionId,
      object,
      created,
      model: name,
      choices: [choice],
      ...tail,
    });
    return {
      status: 200,
      headers: JSON_HEADERS,
      headersFirst: false,
      parts: [{ afterMs: promptMs + outputTokens * itlMs, chunk: whole, token: true }],
      end: script.dieAfterTokens === undefined ? 'complete' : 'die',
      reported,
      outputTokens,
      completionId,
    };
  }

  const object = options.kind === 'chat' ? 'chat.completion.chunk' : 'text_completion';
  const event = (choices: readonly unknown[], extra: Readonly<Record<string, unknown>> = {}): string =>
    `data: ${JSON.stringify({ id: completionId, object, created, model: name, choices, ...extra })}\n\n`;
  const delta = (value: Readonly<Record<string, unknown>>, finish: string | null = null): string =>
    event(
      [{ index: 0, delta: value, finish_reason: finish }],
      finish === 'stop' && llama && !silent ? { timings } : {},
    );
  const parts: Part[] = [];
  const token = (chunk: string): number => parts.push({ afterMs: itlMs, chunk, token: true });

  if (options.kind === 'chat') {
    parts.push({ afterMs: promptMs, chunk: delta({ role: 'assistant', content: null }), token: false });
    if (script.reasoning)
      for (const word of ['let', ' me', ' think']) token(delta({ reasoning_content: word }));
    if (script.toolCall) {
      const call = {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'get_weather', arguments: '' },
      };
      token(delta({ tool_calls: [call] }));
      for (const text of ['{"ci', 'ty":"Z', 'ürich"}']) {
        token(delta({ tool_calls: [{ index: 0, function: { arguments: text } }] }));
      }
    } else {
      for (const word of words) token(delta({ content: word }));
    }
    parts.push({ afterMs: 0, chunk: delta({}, script.toolCall ? 'tool_calls' : 'stop'), token: false });
  } else {
    parts.push(
      ...words.map((text, at) => ({
        afterMs: at === 0 ? promptMs + itlMs : itlMs,
        chunk: event([{ index: 0, text, logprobs: null, finish_reason: null }]),
        token: true,
      })),
    );
    parts.push({
      afterMs: 0,
      chunk: event(
        [{ index: 0, text: '', logprobs: null, finish_reason: 'stop' }],
        llama && !silent ? { timings } : {},
      ),
      token: false,
    });
  }
  if (withUsage) parts.push({ afterMs: 0, chunk: event([], tail), token: false });
  parts.push({ afterMs: 0, chunk: 'data: [DONE]\n\n', token: false });

  const cutAt = script.dieAfterTokens ?? script.cutAfterTokens;
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-cache', 'Content-Type': 'text/event-stream' },
    headersFirst: true,
    parts: stalled(cutAt === undefined ? parts : upToToken(parts, cutAt), script),
    end:
      script.dieAfterTokens !== undefined ? 'die' : script.cutAfterTokens !== undefined ? 'cut' : 'complete',
    reported,
    outputTokens,
    completionId,
  };
}

/** Text of what was asked, for token counts and tags. */
export function promptText(request: InferenceBody): string {
  const contents = request.messages?.map(({ content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  return contents?.join('\n') ?? JSON.stringify(request.prompt ?? request.input ?? '');
}

function planStatus(status: number, text: string | undefined, completionId: string): Plan {
  const chunk =
    text ?? JSON.stringify({ error: { code: status, message: `scripted ${status}`, type: 'server_error' } });
  return {
    status,
    headers: JSON_HEADERS,
    headersFirst: false,
    parts: [{ afterMs: 0, chunk, token: false }],
    end: 'complete',
    reported: { usage: null, timings: null, vllm: null },
    outputTokens: 0,
    completionId,
  };
}

function planDeath(completionId: string): Plan {
  const chunk = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}]}\n\n';
  return {
    ...planStatus(200, undefined, completionId),
    headers: { 'Content-Type': 'text/event-stream' },
    headersFirst: true,
    parts: [{ afterMs: 5, chunk, token: true }],
    end: 'die',
  };
}

function messageOf(text: string, script: ServingScript): Readonly<Record<string, unknown>> {
  if (!script.toolCall) {
    return {
      role: 'assistant',
      content: text,
      ...(script.reasoning ? { reasoning_content: 'let me think' } : {}),
    };
  }
  const call = { name: 'get_weather', arguments: '{"city":"Zürich"}' };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: call }],
  };
}

function upToToken(parts: readonly Part[], count: number): Part[] {
  let tokens = 0;
  return parts.filter((part) => {
    if (part.token) tokens += 1;
    return tokens <= count && (part.token || tokens === 0);
  });
}

function stalled(parts: readonly Part[], script: ServingScript): readonly Part[] {
  const { stallAfterTokens } = script;
  if (stallAfterTokens === undefined) return parts;
  let tokens = 0;
  return parts.map((part) => {
    if (part.token) tokens += 1;
    return part.token && tokens === stallAfterTokens + 1
      ? { ...part, afterMs: part.afterMs + (script.stallMs ?? Infinity) }
      : part;
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
