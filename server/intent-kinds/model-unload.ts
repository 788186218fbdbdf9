import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { findModel, isActiveState, modelState, runningCount, type HostFacts } from '../domain/host-facts.ts';
import { defineKind, type Effect, type Outcome, type RequestOf } from '../domain/intent-kind.ts';
import { listWords, requestsWereRunning, spanWords } from '../domain/intent-words.ts';
import {
  activeModels,
  answerEvidence,
  answerWords,
  checkModel,
  foundDone,
  interrupted,
  notKnown,
  RESUME_SETTLE_MS,
  SETTLE_MS,
} from './shared-outcomes.ts';

type UnloadEffect = Effect<'model.unload'>;
type Answer = Awaited<ReturnType<UnloadEffect['control']['unload']>>;

/** A host that has not answered by then, while a model starts, keeps the order back. */
const SAYS_AFTER_MS = 1_000;
/** How long that is waited for. */
const HELD_MS = 60_000;

/** Unloads one model or all. What runs there is cut, so it asks first when something does, or when that is not known. */
export const modelUnload = defineKind('model.unload', {
  role: 'operator',
  ttlMs: INTENT_TTL_MS['model.unload'],
  // Up to `unloadTimeout` and ten seconds more for each model.
  deadlineMs: 4 * 60_000,
  lane: 'queue',
  idempotent: true,
  actsOn: 'host',
  mayWake: false,
  label: ({ target }) => (target.modelId === undefined ? 'Unload all models' : `Unload ${target.modelId}`),
  notDone: 'Not unloaded',
  check: ({ target }, facts) => (target.modelId === undefined ? null : checkModel(target.modelId, facts)),
  confirmation(request, facts, aborts) {
    if (isGone(request, facts) && !aborts) return null;
    const inFlight = runningCount(facts, request.target.modelId ?? null);
    if (inFlight === 0) return null;
    // A model that is not ready yet serves nobody: to stop its load cuts no answer.
    const { modelId } = request.target;
    if (aborts && inFlight === null && modelId !== undefined && modelState(facts, modelId) !== 'ready')
      return null;
    return { inFlight, wakes: false, because: requestsWereRunning(inFlight) };
  },

  async run(effect) {
    const { request } = effect;
    const before = effect.facts();
    // What is to be stopped may show as stopped while it waits for its turn: then the order goes out all the same.
    if (before?.current && isGone(request, before) && request.supersedes === undefined) {
      return { state: 'succeeded', code: 'already', reason: 'Done. Nothing was loaded.' };
    }
    const count = before ? activeModels(before).length : 0;
    const modelId = canonicalId(effect);
    let answer = await answerOrHeld(effect, effect.control.unload(modelId, effect.signal));
    if (answer !== 'held' && answer.ok && answer.value.status === 404 && modelId !== null) {
      // Before v161 there is no unload of one model; all of them is the same when it is alone.
      const others = before ? activeModels(before, modelId) : [];
      if (others.length > 0) return onlyAll(others);
      answer = await answerOrHeld(effect, effect.control.unload(null, effect.signal));
    }
    if (answer === 'held') return heldByStart(effect);
    const gone = await effect.until(
      (facts) => (facts.current && isGone(request, facts) ? true : null),
      SETTLE_MS,
    );
    if (gone === true) return done(effect, request.target.modelId === undefined ? count : 1);
    const listed = await effect.control.running(effect.signal);
    const evidence = answerEvidence(answer);
    if (!listed.ok) return notKnown('Whether it was unloaded could not be seen.', evidence);
    const left = listed.value.filter((row) => modelId === null || row.modelId === modelId);
    if (left.length === 0) return done(effect, request.target.modelId === undefined ? count : 1);
    const said = answerWords(answer);
    return {
      state: 'failed',
      code: 'still_loaded',
      reason: `${listWords(left.map((row) => row.modelId))} is still loaded.${said === null ? '' : ` The host said: ${said}.`}`,
      evidence,
    };
  },

  async resume(effect) {
    const { request } = effect;
    await effect.until((facts) => (facts.current ? true : null), Number.MAX_SAFE_INTEGER);
    const gone = await effect.until(
      (facts) => (facts.current && isGone(request, facts) ? true : null),
      RESUME_SETTLE_MS,
    );
    if (gone === true)
      return foundDone('Done. It is unloaded; Drover restarted meanwhile and sent nothing again.');
    return effect.signal.aborted
      ? notKnown('Drover restarted while it ran, and the host could not be seen since.')
      : interrupted('It is still loaded.');
  },
});

/**
 * The answer to an order, or `held` when the host keeps it back for too long. Before v218 llama-swap holds a lock while a
 * model starts, and takes an unload only after that: up to its health timeout, which may be many minutes. The order
 * cannot be taken back, but neither the next in line nor the person who asked has to wait for it.
 */
async function answerOrHeld(effect: UnloadEffect, answering: Promise<Answer>): Promise<Answer | 'held'> {
  const { clock } = effect;
  const sentAt = clock.now();
  let said = false;
  let answered = false;
  const held = effect.until((facts) => {
    const starting = facts.current && !answered ? startingModels(effect, facts) : [];
    const waitedMs = clock.now() - sentAt;
    if (starting.length > 0 && waitedMs >= HELD_MS) return 'held' as const;
    const holds = starting.length > 0 && waitedMs >= SAYS_AFTER_MS;
    if (holds && !said)
      effect.say({ code: 'held_by_start', reason: heldWords(facts, starting), evidence: {} });
    if (!holds && said && !answered) effect.say(null);
    said = holds;
    return null;
  }, Number.MAX_SAFE_INTEGER);
  const first = await Promise.race([answering, held]);
  answered = true;
  return first ?? (await answering);
}

function startingModels({ request }: UnloadEffect, facts: HostFacts): readonly string[] {
  const { modelId } = request.target;
  if (modelId !== undefined) return modelState(facts, modelId) === 'starting' ? [modelId] : [];
  return activeModels(facts).filter((model) => modelState(facts, model) === 'starting');
}

function heldWords({ host }: HostFacts, starting: readonly string[]): string {
  return `${host.label} takes no unload before the start of ${listWords(starting)} is over, as llama-swap before v218 does.`;
}

function heldByStart({ host }: UnloadEffect): Outcome {
  return {
    state: 'unknown',
    code: 'held_by_start',
    reason:
      `${host.label} still starts the model and has not answered: llama-swap before v218 takes an unload only after that. ` +
      'It should follow by itself; nothing was sent again.',
  };
}

function canonicalId({ request, facts }: UnloadEffect): string | null {
  const { modelId } = request.target;
  if (modelId === undefined) return null;
  const known = facts();
  return (known && findModel(known, modelId)?.modelId) ?? modelId;
}

function isGone({ target }: RequestOf<'model.unload'>, facts: HostFacts): boolean {
  if (target.modelId === undefined) return activeModels(facts).length === 0;
  const state = modelState(facts, target.modelId);
  return state !== null && !isActiveState(state);
}

function done({ clock, startedAt }: UnloadEffect, count: number): Outcome {
  const took = spanWords(clock.now() - startedAt);
  const what = count > 1 ? `${count} models unloaded` : 'Unloaded';
  return { state: 'succeeded', code: null, reason: `Done. ${what} after ${took}.` };
}

function onlyAll(others: readonly string[]): Outcome {
  return {
    state: 'failed',
    code: 'not_offered',
    reason: `This version of llama-swap unloads all models or none, and ${listWords(others)} is loaded too.`,
  };
}
