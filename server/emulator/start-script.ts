import type { LoadOutcome, ModelConfig } from './config.ts';
import type { EraTraits } from './era.ts';
import type { Logs } from './logs.ts';

/** How a start ended; `reason` is llama-swap's own word for it. */
export type StartResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What a start is played on: the model's output, llama-swap's log, the process's own timers. */
export interface StartStage {
  readonly model: ModelConfig;
  readonly port: number;
  readonly traits: EraTraits;
  readonly logs: Logs;
  readonly healthCheckTimeoutMs: number;
  readonly after: (delayMs: number, task: () => void) => void;
  readonly settle: (result: StartResult) => void;
}

const LONGEST_FAILURE_MS = 250;

/** Plays a start to its outcome: the model's own output on the way, then the result. */
export function playStart(outcome: LoadOutcome, stage: StartStage): void {
  const { model, port, after, settle, healthCheckTimeoutMs } = stage;
  switch (outcome) {
    case 'ready':
      announceLoading(stage);
      after(model.load.durationMs, () => settle({ ok: true }));
      return;
    case 'never-healthy':
      announceLoading(stage);
      after(healthCheckTimeoutMs, () =>
        settle({ ok: false, reason: `health check timed out after ${healthCheckTimeoutMs / 1000}s` }),
      );
      return;
    case 'out-of-memory':
      exitEarly(
        stage,
        'ggml_cuda_init: found 1 CUDA devices:\n\u001B[31mCUDA error: out of memory\u001B[0m\n' +
          'llama_model_load: error loading model: unable to allocate CUDA0 buffer\n',
      );
      return;
    case 'exits':
      exitEarly(stage, `error: failed to open model file for ${model.id}\n`);
      return;
    case 'port-in-use':
      exitEarly(stage, `Error: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
      return;
  }
}

function announceLoading({ model, logs, after }: StartStage): void {
  const { id, load } = model;
  const say = (text: string): void => logs.write('upstream', text, id);
  say(`\u001B[36mbuild\u001B[0m: 6123 (abc1234) with gcc\nmain: loading model ${id}\n`);
  for (const percent of [34, 67]) {
    after((load.durationMs * percent) / 100, () => say(`load_tensors: ${percent}%\n`));
  }
  after(load.durationMs * 0.95, () =>
    say('load_tensors: 100%\nmain: server is listening on 127.0.0.1 ünïcode ✓\n'),
  );
}

function exitEarly({ model, traits, logs, after, settle }: StartStage, output: string): void {
  const { id, load } = model;
  const exitMs = Math.min(load.durationMs, LONGEST_FAILURE_MS);
  after(exitMs / 4, () => {
    logs.write('upstream', output, id);
    if (traits.server !== 'gin') return;
    logs.proxy('WARN', `<${id}> ExitError >> exit status 1, exit code: 1`);
    logs.proxy('INFO', `<${id}> process exited but not StateStopping, current state: starting`);
  });
  const tail = traits.server === 'gin' ? ' but successfully' : '';
  after(exitMs, () => settle({ ok: false, reason: `upstream command exited prematurely${tail}` }));
}
