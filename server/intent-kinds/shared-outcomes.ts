import type { IntentEvidence } from '#shared/schemas/intent.ts';
import { findModel, isActiveState, type HostFacts } from '../domain/host-facts.ts';
import type { Outcome, Refusal } from '../domain/intent-kind.ts';
import type { ControlReply } from '../domain/intent-ports.ts';
import { clipDetail } from '../domain/intent-words.ts';
import type { UpstreamResult } from '../domain/ports.ts';
import { failureReason } from '../domain/connection-reason.ts';

/** How long a state may take to arrive once the host has answered. */
export const SETTLE_MS = 6_000;
/** After a restart of Drover: how long a state that is not the wanted one is given before it counts. */
export const RESUME_SETTLE_MS = 10_000;

/** Refuses a model that the host does not list, or that lives on another one. */
export function checkModel(modelId: string, facts: HostFacts): Refusal | null {
  const model = findModel(facts, modelId);
  if (model === null) {
    // An inventory of an earlier connection, or of none, proves nothing.
    if (!facts.current && facts.models.length === 0) return null;
    return { code: 'unknown_model', reason: `${facts.host.label} has no model "${modelId}".` };
  }
  if (model.peerId === null) return null;
  return {
    code: 'peer_model',
    reason: `"${modelId}" runs on the peer "${model.peerId}", not on ${facts.host.label}.`,
  };
}

/** Local models that hold memory, but for one. */
export function activeModels(facts: HostFacts, except: string | null = null): readonly string[] {
  return facts.models
    .filter(({ modelId, state, peerId }) => peerId === null && modelId !== except && isActiveState(state))
    .map(({ modelId }) => modelId);
}

/** What a host answered, as evidence. */
export function answerEvidence(answer: UpstreamResult<ControlReply>): IntentEvidence {
  if (!answer.ok) return { detail: failureReason(answer.failure) };
  const { status, detail } = answer.value;
  return { httpStatus: status, ...(detail === null ? {} : { detail: clipDetail(detail) }) };
}

/** What a host answered, as the end of a sentence; null when it says nothing. */
export function answerWords(answer: UpstreamResult<ControlReply>): string | null {
  if (!answer.ok) return clipDetail(failureReason(answer.failure));
  if (answer.value.detail !== null && answer.value.detail !== '') return clipDetail(answer.value.detail);
  return answer.value.status < 400 ? null : `status ${answer.value.status}`;
}

/** The outcome of what a crash cut off and is not there: nothing is sent again. */
export function interrupted(found: string): Outcome {
  return {
    state: 'failed',
    code: 'interrupted',
    reason: `Drover restarted while it ran. ${found} Nothing was sent again.`,
    evidence: { afterRestart: true },
  };
}

/** The outcome of what a crash cut off and is there. */
export function foundDone(reason: string): Outcome {
  return { state: 'succeeded', code: null, reason, evidence: { afterRestart: true } };
}

/** The outcome when nothing tells whether it happened. */
export function notKnown(reason: string, evidence: IntentEvidence = {}): Outcome {
  return { state: 'unknown', code: 'not_observed', reason, evidence };
}
