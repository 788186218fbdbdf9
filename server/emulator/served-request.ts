import type { Caller } from './caller.ts';
import type { Plan } from './completion.ts';
import type { EraTraits } from './era.ts';
import type { PlayedWrite } from './play-plan.ts';
import type { StreamRecord } from './records.ts';

/** Who ended a request before it was over. */
export type StopCause = 'client' | 'cancelled' | 'process';

/** The record of a stream that begins; its end is filled in when it comes. */
export function streamRecord(
  { completionId }: Plan,
  { headers, path }: Caller,
  request: {
    readonly id: number;
    readonly modelId: string;
    readonly receivedAt: number;
    readonly writes: readonly PlayedWrite[];
  },
): StreamRecord & { endedAt: number | null; end: StreamRecord['end'] } {
  const clientRequestId = headers['X-Request-Id'] ?? null;
  return { ...request, completionId, clientRequestId, path, endedAt: null, end: null };
}

/** How a stream ended, in a word. */
export function streamEnd(plan: Plan, stopped: StopCause | null): StreamRecord['end'] {
  if (stopped === 'client') return 'client_gone';
  if (stopped === 'cancelled') return 'cancelled';
  if (stopped === 'process') return 'upstream_died';
  return plan.end === 'cut' ? 'cut' : 'complete';
}

/** The log line for a stream that told no usage; null for what is no stream. */
export function noUsageWords(path: string, contentType: string): string | null {
  if (contentType !== 'text/event-stream') return null;
  return (
    'error processing streaming response: no valid JSON data found in stream, ' +
    `path=${path}, recording minimal metrics`
  );
}

/** The log line for an answer that failed, which is a row without numbers or none. */
export function failedWords(
  path: string,
  status: number,
  answers: EraTraits['activityRow']['answers'],
): string {
  if (answers !== 'every') return `metrics skipped, HTTP status=${status}, path=${path}`;
  return `non-200 response, recording partial metrics: status=${status}, path=${path}`;
}
