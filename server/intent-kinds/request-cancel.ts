import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { runningRequests, type HostFacts } from '../domain/host-facts.ts';
import { defineKind, type Effect } from '../domain/intent-kind.ts';
import { answerEvidence, answerWords, notKnown, SETTLE_MS } from './shared-outcomes.ts';

/**
 * Cancels a running request. Ids are counted anew when the host reloads, so only one that is listed on the connection
 * that stands now is meant, and it is never sent twice.
 */
export const requestCancel = defineKind('request.cancel', {
  role: 'operator',
  ttlMs: INTENT_TTL_MS['request.cancel'],
  deadlineMs: 30_000,
  lane: 'control',
  idempotent: false,
  actsOn: 'host',
  mayWake: false,
  label: ({ params, target }) =>
    `Cancel request ${params.requestId}${target.modelId === undefined ? '' : ` of ${target.modelId}`}`,
  notDone: 'Not cancelled',
  check({ params, target }, facts) {
    const rows = runningRequests(facts, target.modelId ?? null);
    if (rows === null) {
      return {
        code: 'not_offered',
        reason: `${facts.host.label} does not list its requests: llama-swap v235 and later can cancel one.`,
      };
    }
    if (rows.some(({ id }) => id === params.requestId)) return null;
    return { code: 'request_gone', reason: 'Not cancelled: that request is not running any more.' };
  },
  confirmation: () => null,

  async run(effect) {
    const answer = await effect.control.cancelRequest(effect.request.params.requestId, effect.signal);
    const evidence = answerEvidence(answer);
    if (!answer.ok) {
      return notKnown(`Whether it was cancelled is not known. ${evidence.detail ?? ''}`.trim(), evidence);
    }
    if (answer.value.status === 404) {
      return { state: 'failed', code: 'request_gone', reason: 'It had ended by itself.', evidence };
    }
    if (answer.value.status >= 400) {
      const reason = `The host refused: ${answerWords(answer) ?? 'no reason given'}.`;
      return { state: 'failed', code: 'refused', reason, evidence };
    }
    const gone = await effect.until((facts) => (isGone(effect, facts) ? true : null), SETTLE_MS);
    return gone === true
      ? { state: 'succeeded', code: null, reason: 'Done. The request was cut.', evidence }
      : {
          state: 'failed',
          code: 'still_running',
          reason: 'The host took it, but the request still runs.',
          evidence,
        };
  },

  async resume(effect) {
    await effect.until((facts) => (facts.current ? true : null), 15_000);
    return notKnown('The collector stopped after sending it; nothing was repeated.', { afterRestart: true });
  },
});

function isGone({ request }: Effect<'request.cancel'>, facts: HostFacts): boolean {
  const rows = facts.current ? runningRequests(facts, null) : null;
  return rows !== null && !rows.some(({ id }) => id === request.params.requestId);
}
