/** How grave a line is; null: it does not say. */
export type LogLevel = 'error' | 'warn' | 'info' | null;

// A time, a date or a process in front of what says the level.
const LEAD = String.raw`^(?:\[?[\d:./T,Z+-]{4,32}\]?\s+|\([\w-]{1,24} pid=\d+\)\s+){0,3}`;

/**
 * Where programs of this field write the level, never a word somewhere in the text: a model may be called "error". In
 * order: llama-swap `[WARN]`, llama.cpp `0.01.234.567 E srv …`, vLLM and Python `ERROR 11-30 …`, JSON lines, then
 * llama.cpp's `llama_model_load: error loading model` and `CUDA error: …`, which carry none.
 */
const RULES: readonly (readonly [RegExp, LogLevel])[] = [
  [new RegExp(String.raw`${LEAD}\[(?:ERROR|FATAL|PANIC)\]`), 'error'],
  [new RegExp(String.raw`${LEAD}\[WARN(?:ING)?\]`), 'warn'],
  [new RegExp(String.raw`${LEAD}\[(?:INFO|DEBUG|TRACE)\]`), 'info'],
  [/^\d+(?:\.\d+){2,4} E /, 'error'],
  [/^\d+(?:\.\d+){2,4} W /, 'warn'],
  [/^\d+(?:\.\d+){2,4} [ID] /, 'info'],
  [new RegExp(String.raw`${LEAD}(?:ERROR|CRITICAL|FATAL)\b:?\s`), 'error'],
  [new RegExp(String.raw`${LEAD}WARN(?:ING)?\b:?\s`), 'warn'],
  [new RegExp(String.raw`${LEAD}(?:INFO|DEBUG|TRACE)\b:?\s`), 'info'],
  [/^\{"(?:[^"\\]{1,40}":"[^"\\]{0,80}","){0,4}level":"(?:error|fatal|critical)"/i, 'error'],
  [/^\{"(?:[^"\\]{1,40}":"[^"\\]{0,80}","){0,4}level":"warn(?:ing)?"/i, 'warn'],
  [/^(?:[a-z_]{1,40}: )?(?:fatal |failed: )?error\b(?::| (?:loading|while|in) )/i, 'error'],
  [/^(?:CUDA|HIP|ROCm|Vulkan|Metal|SYCL|ggml_\w{1,30}(?:: \w{1,30})?) error:/i, 'error'],
  [/^(?:Traceback \(most recent call last\):|panic: |[A-Z]\w{1,40}(?:Error|Exception): )/, 'error'],
  [/^(?:[a-z_]{1,40}: )?(?:warning|warn):/i, 'warn'],
];

/** The level of a line without its colours. */
export function logLevel(plain: string): LogLevel {
  const start = plain.slice(0, 400);
  return RULES.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}
