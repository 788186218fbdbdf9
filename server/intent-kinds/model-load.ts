import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { findModel, modelState, runningCount, type HostFacts } from '../domain/host-facts.ts';
import { defineKind, type Effect, type Outcome } from '../domain/intent-kind.ts';
import { clipDetail, listWords, requestsRunning, spanWords } from '../domain/intent-words.ts';
import {
  activeModels,
  answerEvidence,
  answerWords,
  checkModel,
  foundDone,
  interrupted,
  RESUME_SETTLE_MS,
  SETTLE_MS,
} from './shared-outcomes.ts';

type LoadEffect = Effect<'model.load'>;
type Verdict = { readonly ready: true } | { readonly ready: false; readonly outcome: Outcome };

/** A load that has not begun by then waits for something. */
const WAITS_AFTER_MS = 1_000;
/** How often a machine that is waking is looked at. */
const LOOK_AGAIN_MS = 2_000;
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

/**
 * Loads a model. llama-swap has no order for it: a request to the model's own server starts it and blocks meanwhile. Its
 * status is that server's (404 where it has no such page), so only the observed state says whether it was loaded.
 */
export const modelLoad = defineKind('model.load', {
  role: 'operator',
  ttlMs: INTENT_TTL_MS['model.load'],
  // A large model behind a busy one takes its time; llama-swap's own health timeout ends a start that hangs.
  deadlineMs: 30 * 60_000,
  lane: 'queue',
  idempotent: true,
  actsOn: 'host',
  mayWake: true,
  label: ({ target }) => `Load ${target.modelId}`,
  notDone: 'Not loaded',
  check: ({ target }, facts) => checkModel(target.modelId, facts),
  confirmation: (_request, facts) =>
    facts.liveness === 'asleep'
      ? { inFlight: null, wakes: true, because: `${facts.host.label} is asleep, and this wakes the machine` }
      : null,

  async run(effect) {
    const modelId = canonicalId(effect);
    const before = effect.facts();
    if (before && modelState(before, modelId) === 'ready') {
      return { state: 'succeeded', code: 'already', reason: 'Done. It was ready already.' };
    }
    const look = judge(effect, modelId);
    // Ends the request once the state is there: the model's server may take long to answer, or never do.
    const enough = new AbortController();
    const answering = effect.control.load(modelId, AbortSignal.any([effect.signal, enough.signal]));
    const seen = effect.until(look, FOREVER_MS);
    const first = await Promise.race([seen, answering.then(() => null)]);
    if (first !== null) {
      enough.abort();
      await answering;
      return outcomeOf(effect, first);
    }
    const answer = await answering;
    const settled = await Promise.race([seen, effect.until(() => null, SETTLE_MS)]);
    if (settled !== null) return outcomeOf(effect, settled);
    return afterAnswer(effect, { modelId, seen, answer });
  },

  async resume(effect) {
    const modelId = canonicalId(effect);
    const look = judge(effect, modelId);
    const seen = effect.until(look, FOREVER_MS);
    await effect.until((facts) => (facts.current ? true : null), FOREVER_MS);
    const settled = await Promise.race([seen, effect.until(() => null, RESUME_SETTLE_MS)]);
    const verdict = settled ?? (isStarting(effect, modelId) ? await seen : null);
    if (verdict?.ready === true) {
      return foundDone('Done. The model is ready; Drover restarted meanwhile and sent nothing again.');
    }
    return verdict?.outcome ?? interrupted(`The model is ${lastState(effect, modelId)}.`);
  },
});

function canonicalId({ request, facts }: LoadEffect): string {
  const known = facts();
  return (known && findModel(known, request.target.modelId)?.modelId) ?? request.target.modelId;
}

/** Looks at each change: ready, failed, or not decided; says what it waits for while the host sleeps or shows `stopped`. */
function judge(effect: LoadEffect, modelId: string): (facts: HostFacts) => Verdict | null {
  let said: 'waking' | 'behind' | null = null;
  let lookedAt = effect.clock.now();
  return (facts) => {
    if (facts.liveness === 'asleep' && effect.clock.now() - lookedAt >= LOOK_AGAIN_MS) {
      lookedAt = effect.clock.now();
      effect.lookAgain();
    }
    if (facts.liveness === 'asleep' && said !== 'waking') {
      const reason = `Waking ${facts.host.label}: the load begins when it has started.`;
      effect.say({ code: 'waking', reason, evidence: {} });
      said = 'waking';
    }
    const model = facts.current ? findModel(facts, modelId) : null;
    if (model === null) return null;
    if (model.state === 'ready') return { ready: true };
    const failure = model.failedStart;
    if (model.state === 'stopped' && failure !== null && failure.at >= effect.startedAt) {
      const reason = `It did not start: ${clipDetail(failure.reason).replace(/^Its /, 'its ')}.`;
      const lines = failure.lines.slice(-8).map((line) => line.slice(0, 200));
      return {
        ready: false,
        outcome: { state: 'failed', code: 'start_failed', reason, evidence: { lines } },
      };
    }
    const behind = model.state === 'stopped' ? busyModels(facts, modelId) : [];
    const waits = behind.length > 0 && effect.clock.now() - effect.startedAt >= WAITS_AFTER_MS;
    if (waits && said !== 'behind') {
      const running = requestsRunning(runningCount(facts, null));
      effect.say({
        code: 'waiting_behind',
        reason: `Waiting behind ${listWords(behind)} on ${facts.host.label}: ${running}. It shows as stopped until its turn.`,
        evidence: { behind: behind.slice(0, 8) },
      });
    }
    if (!waits && said !== null) effect.say(null);
    said = waits ? 'behind' : null;
    return null;
  };
}

/** Models that may have to finish first. Which ones the host really waits for is not on the wire. */
function busyModels(facts: HostFacts, modelId: string): readonly string[] {
  return activeModels(facts, modelId).filter((other) => runningCount(facts, other) !== 0);
}

async function afterAnswer(
  effect: LoadEffect,
  found: {
    readonly modelId: string;
    readonly seen: Promise<Verdict | null>;
    readonly answer: Awaited<ReturnType<LoadEffect['control']['load']>>;
  },
): Promise<Outcome> {
  const { modelId, seen, answer } = found;
  const evidence = answerEvidence(answer);
  const said = answerWords(answer);
  const facts = effect.facts();
  // Not to be seen, or still starting: the answer decides nothing, and the deadline watches.
  if (!facts?.current || isStarting(effect, modelId)) {
    const verdict = await seen;
    return verdict === null ? notSeen(said) : outcomeOf(effect, verdict);
  }
  const running = await effect.control.running(effect.signal);
  if (running.ok && running.value.some((row) => row.modelId === modelId && row.state === 'ready')) {
    return ready(effect);
  }
  const because = said === null ? '' : ` The host said: ${said}.`;
  return {
    state: 'failed',
    code: 'not_loaded',
    reason: `It did not become ready; it is ${lastState(effect, modelId)}.${because}`,
    evidence,
  };
}

function outcomeOf(effect: LoadEffect, verdict: Verdict): Outcome {
  return verdict.ready ? ready(effect) : verdict.outcome;
}

function ready({ clock, startedAt }: LoadEffect): Outcome {
  return {
    state: 'succeeded',
    code: null,
    reason: `Done. Ready after ${spanWords(clock.now() - startedAt)}.`,
  };
}

function notSeen(said: string | null): Outcome {
  const answer = said === null ? '' : ` The host said: ${said}.`;
  return {
    state: 'unknown',
    code: 'not_observed',
    reason: `Whether it was loaded could not be seen.${answer}`,
  };
}

function isStarting({ facts }: LoadEffect, modelId: string): boolean {
  const known = facts();
  return known !== null && modelState(known, modelId) === 'starting';
}

function lastState({ facts }: LoadEffect, modelId: string): string {
  const known = facts();
  return (known && modelState(known, modelId)) ?? 'not known';
}
