import { parseInferenceBody, planCompletion, promptText } from './completion.ts';
import type { Plan } from './completion.ts';
import type { ModelConfig } from './config.ts';
import type { ServingScript } from './serving-script.ts';

const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** What llama-server or vLLM answers to a request that reached it. */
export function planAnswer(
  model: ModelConfig,
  request: { readonly method: string; readonly path: string; readonly body: string },
  options: { readonly sequence: number; readonly script: ServingScript },
): Plan {
  const { method, path } = request;
  if (method === 'POST') {
    const parsed = parseInferenceBody(request.body) ?? {};
    if (path.endsWith('/chat/completions')) {
      return planCompletion(model, parsed, { kind: 'chat', ...options });
    }
    if (path.endsWith('/completions')) return planCompletion(model, parsed, { kind: 'text', ...options });
    if (path.endsWith('/embeddings')) {
      const tokens = 2 + Math.ceil(promptText(parsed).length / 2);
      return planJson(
        {
          object: 'list',
          data: [{ object: 'embedding', index: 0, embedding: [0.1, -0.2, 0.3] }],
          model: parsed.model ?? model.id,
          usage: { prompt_tokens: tokens, total_tokens: tokens },
        },
        tokens,
      );
    }
    if (/rerank(ing)?$/.test(path)) {
      const tokens = 20;
      return planJson(
        {
          model: parsed.model ?? model.id,
          object: 'list',
          results: [{ index: 0, relevance_score: 0.87 }],
          usage: { prompt_tokens: tokens, total_tokens: tokens },
        },
        tokens,
      );
    }
    if (path === '/completion') return planNative(model, parsed, options);
  }
  if (method === 'GET' || method === 'HEAD') {
    if (path === '/health') return planText(200, '{"status":"ok"}');
    if (path === '/v1/models') {
      return planText(200, JSON.stringify({ object: 'list', data: [{ id: model.id, object: 'model' }] }));
    }
    if (model.backend === 'llama.cpp') {
      if (path === '/') return planText(200, '<html><title>llama.cpp</title></html>\n', 'text/html');
      if (path === '/props') {
        return planText(
          200,
          JSON.stringify({
            default_generation_settings: { n_ctx: model.contextLength ?? 8192 },
            total_slots: 2,
            model_path: 'models/x.gguf',
            build_info: 'b6123-abc1234',
          }),
        );
      }
    }
  }
  return model.backend === 'vllm'
    ? planText(404, '{"detail":"Not Found"}')
    : planText(404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}');
}

function planText(status: number, chunk: string, type = 'application/json'): Plan {
  return {
    status,
    headers: { 'Content-Type': type },
    headersFirst: false,
    parts: [{ afterMs: 0, chunk, token: false }],
    end: 'complete',
    reported: { usage: null, timings: null, vllm: null },
    outputTokens: 0,
    completionId: '',
  };
}

function planJson(value: Readonly<Record<string, unknown>>, promptTokens: number): Plan {
  return {
    ...planText(200, JSON.stringify(value)),
    headers: JSON_HEADERS,
    reported: { usage: { promptTokens, outputTokens: 0, cachedTokens: null }, timings: null, vllm: null },
  };
}

/** llama.cpp's own `/completion`: no `usage`, timings only. */
function planNative(
  model: ModelConfig,
  parsed: NonNullable<ReturnType<typeof parseInferenceBody>>,
  options: { readonly sequence: number; readonly script: ServingScript },
): Plan {
  const plan = planCompletion(model, { ...parsed, stream: false }, { kind: 'text', ...options });
  if (plan.status !== 200) return plan;
  const { timings } = plan.reported;
  const chunk = JSON.stringify({
    content: 'the quick brown fox',
    stop: true,
    tokens_predicted: plan.outputTokens,
    ...(timings ? { timings } : {}),
  });
  return {
    ...plan,
    parts: plan.parts.map((part) => ({ ...part, chunk })),
    reported: { ...plan.reported, usage: null },
  };
}
