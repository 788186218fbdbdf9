import type { ModelLane } from './model-lanes.ts';

/** `failed to start twice, out of memory`; empty where no start failed in the time that is shown. */
export function failureWords({ failures }: Pick<ModelLane, 'failures'>): string {
  const last = failures.at(-1);
  if (last === undefined) return '';
  const count = failures.length;
  const times = count === 1 ? '' : count === 2 ? ' twice' : ` ${count} times`;
  return `failed to start${times}, ${last.reason}`;
}
