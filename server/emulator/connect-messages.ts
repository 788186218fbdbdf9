import type { LlamaSwap } from './llama-swap.ts';
import { goJson } from './wire/go-format.ts';

const SESSION_HEADERS = ['X-Session-ID', 'X-Litellm-Session-Id'];

/** Messages a new client of `/api/events` gets, in order. */
export function connectMessages(host: LlamaSwap): readonly (readonly [type: string, dataJson: string])[] {
  const { traits, activity } = host;
  const messages: (readonly [string, string])[] = [];
  if (traits.logs.inEvents) {
    for (const source of ['proxy', 'upstream'] as const) {
      messages.push(['logData', goJson({ data: host.logs.history(source), source })]);
    }
  }
  messages.push(['modelStatus', host.modelStatus()]);
  if (traits.activityMessage === 'row') {
    // One message a row into a short queue: of a long history only the beginning arrives.
    const room = traits.queueLength - messages.length;
    for (const row of activity.rows.slice(0, room)) messages.push(['metrics', goJson(activity.wire(row))]);
  } else if (traits.activityMessage === 'rows') {
    messages.push(['metrics', goJson(activity.rows.map((row) => activity.wire(row)))]);
  }
  if (traits.inFlight === 'operations') {
    messages.push(['uiConfig', goJson({ activity: { session_id: SESSION_HEADERS } })]);
  }
  if (traits.profiles) messages.push(['profileChanged', goJson({ active: host.profile })]);
  const inFlight = host.inFlight.snapshot();
  if (inFlight !== null) messages.push(['inflight', inFlight]);
  return messages;
}
