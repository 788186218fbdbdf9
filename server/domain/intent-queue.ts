import { roleAllows, type Role } from '#shared/schemas/auth.ts';
import type { IntentConfirm } from '#shared/schemas/intent.ts';
import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import { evidenceOf, modelState, runningCount, type HostFacts } from './host-facts.ts';
import type { ConfirmNeed, IntentRules } from './intent-kind.ts';
import { isUnclaimed } from './intent-lifecycle.ts';
import type { IntentWords, ReadableIntent, StoredCancel } from './intent-ports.ts';
import { meaningOf } from './intent-receipt.ts';
import { requestsWereRunning, spanWords } from './intent-words.ts';
import { isHeld, type Lease } from './lease-policy.ts';
import { reachOf } from './intent-reach.ts';

/** Intents of one host that may wait; what runs has left the queue. */
export const QUEUE_DEPTH = 4;

/** Everything an unclaimed intent is judged by. */
export interface QueueCase {
  readonly now: number;
  readonly intent: ReadableIntent;
  /** The author's role now; null: revoked, or gone. */
  readonly role: Role | null;
  readonly cancel: StoredCancel | null;
  /** Null: there is no such host. */
  readonly facts: HostFacts | null;
  readonly lastEndedAt: (modelId: string | null) => number | null;
  /** Every open intent of the host in order of receipt, this one among them. */
  readonly open: readonly ReadableIntent[];
  readonly lease: Lease | null;
  readonly rulesOf: (request: IntentRequest) => IntentRules;
}

/** What becomes of it now. */
export type Decision =
  | { readonly do: 'claim' }
  | { readonly do: 'wait'; readonly why: IntentWords }
  | {
      readonly do: 'end';
      readonly event: 'reject' | 'expire' | 'cancel' | 'supersede' | 'askConfirmation';
      readonly why: IntentWords;
    };

/** Judges an unclaimed intent, in this order: role, expiry, cancel, target, place, precondition, confirmation, lease. */
export function decide(q: QueueCase): Decision {
  return (
    judgeRole(q) ??
    judgeTime(q) ??
    judgeMeaning(q) ??
    judgeTarget(q) ??
    judgePlace(q) ??
    judgePrecondition(q) ??
    judgeConfirm(q) ??
    judgeLease(q) ?? { do: 'claim' }
  );
}

/**
 * The running load that an unload stops; it passes the queue for that. It names the load, or it is the confirmed unload of
 * all models while the load waits for some of them: let go on, the load would bring back one of what was to be empty.
 */
export function abortedBy(intent: ReadableIntent, open: readonly ReadableIntent[]): ReadableIntent | null {
  const { request } = intent;
  if (request.kind !== 'model.unload') return null;
  if (request.supersedes === undefined) {
    const isAll = request.target.modelId === undefined && request.confirm !== undefined;
    return isAll ? (open.find(({ view }) => isHeldUp(view)) ?? null) : null;
  }
  const load = open.find(({ view }) => view.id === request.supersedes && !isUnclaimed(view.state));
  if (load?.request.kind !== 'model.load') return null;
  const { modelId } = request.target;
  return modelId === undefined || modelId === load.request.target.modelId ? load : null;
}

/**
 * A confirmed unload of the one model that a running load waits for; the load goes on. In the queue each would wait for
 * the other, until the requests that were to be cut end by themselves.
 */
export function takesOver({ request }: ReadableIntent, open: readonly ReadableIntent[]): boolean {
  if (request.kind !== 'model.unload' || request.confirm === undefined) return false;
  const { modelId } = request.target;
  if (modelId === undefined) return false;
  return open.some(({ view }) => isHeldUp(view) && view.evidence?.behind?.includes(modelId) === true);
}

/** A load that runs, but whose model waits at the host for others to finish their requests. */
function isHeldUp({ state, code }: ReadableIntent['view']): boolean {
  return state === 'running' && code === 'waiting_behind';
}

/** Intents of a host's queue that wait, in order. */
export function waitingInLine(
  open: readonly ReadableIntent[],
  rulesOf: QueueCase['rulesOf'],
): readonly ReadableIntent[] {
  return open.filter(({ view, request }) => isUnclaimed(view.state) && rulesOf(request).lane === 'queue');
}

function judgeRole({ role, rulesOf, intent }: QueueCase): Decision | null {
  const needed = rulesOf(intent.request).role;
  if (role === null) {
    return reject('revoked', `${intent.view.author.label} was removed before this could be done.`);
  }
  if (roleAllows(role, needed)) return null;
  return reject('role', `The role of ${intent.view.author.label} is ${role}; this needs ${needed}.`);
}

function judgeTime({ now, intent, cancel, facts, open, rulesOf }: QueueCase): Decision | null {
  const { view } = intent;
  if (now >= view.expiresAt) {
    const ahead = open.find(({ seq, view: other }) => seq < intent.seq && other.id !== view.id);
    const during =
      facts !== null && facts.liveness !== 'connected'
        ? `while ${facts.host.label} was ${facts.liveness}`
        : ahead
          ? `behind ${rulesOf(ahead.request).label(ahead.request)}`
          : 'before it could be done';
    return end('expire', 'expired', `Expired ${during}. Nothing was done.`);
  }
  if (cancel === null) return null;
  return end('cancel', 'cancelled', `By ${cancel.label}, before it was claimed.`);
}

/** The same, asked earlier, is under way, and nothing that speaks against it was asked in between. */
function judgeMeaning({ intent, open }: QueueCase): Decision | null {
  const meaning = meaningOf(intent.request);
  const twin = open.find(
    ({ seq, view, request }) =>
      seq < intent.seq && !isUnclaimed(view.state) && meaningOf(request) === meaning,
  );
  if (!twin) return null;
  const contradicted = open.some(
    ({ seq, request }) => seq > twin.seq && seq < intent.seq && meaningOf(request) !== meaning,
  );
  if (contradicted) return null;
  const who =
    twin.view.author.id === intent.view.author.id
      ? 'The same was asked'
      : `${twin.view.author.label} asked for the same`;
  const earlier = spanWords(intent.view.receivedAt - twin.view.receivedAt);
  return {
    do: 'end',
    event: 'supersede',
    why: {
      code: 'same_meaning',
      reason: `${who} ${earlier} earlier; that one runs.`,
      evidence: { byIntentId: twin.view.id },
    },
  };
}

function judgeTarget(q: QueueCase): Decision | null {
  const { facts, intent, now } = q;
  const rules = q.rulesOf(intent.request);
  const { hostId } = intent.request.target;
  if (facts === null) return reject('unknown_host', `There is no host "${hostId}".`);
  const reach = rules.actsOn === 'host' ? reachOf(facts, rules.mayWake) : null;
  if (reach?.kind === 'connecting') return wait(reach.code, reach.reason);
  if (reach?.kind === 'away') {
    if (intent.request.whenDown === 'wait') {
      return wait(reach.code, `Until ${facts.host.label} is back. ${reach.reason}`);
    }
    return reject(reach.code, reach.reason, { checked: evidenceFor(q) });
  }
  const refusal = rules.check(intent.request, facts, now);
  return refusal && reject(refusal.code, refusal.reason, { checked: evidenceFor(q) });
}

function judgePlace({ intent, open, rulesOf }: QueueCase): Decision | null {
  if (passesQueue(intent, open, rulesOf)) return null;
  // Control kinds have no place in the queue, so nobody waits behind one.
  const ahead = open.find(({ seq, request }) => seq < intent.seq && rulesOf(request).lane === 'queue');
  if (!ahead) return null;
  const label = rulesOf(ahead.request).label(ahead.request);
  const { id, kind, author } = ahead.view;
  const evidence = { byIntentId: id, pending: [{ id, kind, label }] };
  return { do: 'wait', why: { code: 'queued', reason: `Behind ${label} (${author.label}).`, evidence } };
}

function passesQueue(
  intent: ReadableIntent,
  open: readonly ReadableIntent[],
  rulesOf: QueueCase['rulesOf'],
): boolean {
  return (
    rulesOf(intent.request).lane === 'control' || abortedBy(intent, open) !== null || takesOver(intent, open)
  );
}

function judgePrecondition(q: QueueCase): Decision | null {
  const { intent, facts, now } = q;
  const { notDone } = q.rulesOf(intent.request);
  const { precondition } = intent.request;
  if (precondition === undefined || facts === null) return null;
  const modelId = modelOf(intent.request);
  const fail = (reason: string): Decision =>
    reject('precondition', `${notDone}: ${reason}`, { checked: evidenceFor(q) });

  const { modelState: states, inFlightMax, idleForMs } = precondition;
  if (states !== undefined) {
    const state = modelId === null ? null : modelState(facts, modelId);
    if (state === null || !states.includes(state)) {
      return fail(
        `${modelId ?? 'the host'} was ${state ?? 'not known'}; you had asked for ${states.join(' or ')}.`,
      );
    }
  }
  const count = runningCount(facts, modelId);
  if (inFlightMax !== undefined && (count === null || count > inFlightMax)) {
    return fail(`${requestsWereRunning(count)}; you had asked for at most ${inFlightMax}.`);
  }
  if (idleForMs !== undefined) {
    if (count !== 0)
      return fail(`${requestsWereRunning(count)}; you had asked for ${spanWords(idleForMs)} of quiet.`);
    if (!facts.listed) {
      const reason = `Until ${facts.host.label} has listed what ended before it was reached.`;
      return wait('not_listed', reason);
    }
    // Nothing is known to have ended before it was listened to: quiet counts from then.
    const quietSince = q.lastEndedAt(modelId) ?? facts.since;
    if (now - quietSince < idleForMs) {
      return fail(`quiet for ${spanWords(now - quietSince)}; you had asked for ${spanWords(idleForMs)}.`);
    }
  }
  return null;
}

function judgeConfirm(q: QueueCase): Decision | null {
  const { intent, facts, open } = q;
  if (facts === null) return null;
  const rules = q.rulesOf(intent.request);
  const need = rules.confirmation(intent.request, facts, abortedBy(intent, open) !== null);
  if (need === null) return null;
  const { confirm } = intent.request;
  const given = confirm === undefined ? 'nobody had confirmed that' : mismatch(confirm, need, intent.request);
  if (given === null) return null;
  return end(
    'askConfirmation',
    confirm === undefined ? 'confirm_needed' : 'confirm_outdated',
    `${rules.notDone}: ${need.because}; ${given}.`,
    {
      checked: { ...evidenceFor(q), inFlight: need.inFlight },
    },
  );
}

/** How what was confirmed differs from what is; null when it covers it. Fewer requests than agreed to are covered. */
function mismatch(confirm: IntentConfirm, need: ConfirmNeed, request: IntentRequest): string | null {
  const modelId = modelOf(request);
  if (confirm.hostId !== request.target.hostId || (confirm.modelId ?? null) !== modelId) {
    return `you had confirmed ${confirm.modelId ?? 'all models'} on ${confirm.hostId}`;
  }
  // Whoever agreed to "whatever runs" agreed to this.
  if (need.wakes || confirm.inFlight === null) return null;
  if (need.inFlight !== null && need.inFlight <= confirm.inFlight) return null;
  return `you had confirmed ${confirm.inFlight}`;
}

function judgeLease({ lease, now, rulesOf, intent, open }: QueueCase): Decision | null {
  if (lease === null || !isHeld(lease, now)) return null;
  if (passesQueue(intent, open, rulesOf)) return null;
  const holder = lease.holder ?? '';
  return {
    do: 'wait',
    why: { code: 'lease', reason: `Until ${lease.purpose} is over.`, evidence: { byIntentId: holder } },
  };
}

function modelOf({ target }: IntentRequest): string | null {
  return 'modelId' in target ? (target.modelId ?? null) : null;
}

function evidenceFor({ facts, intent, now }: QueueCase) {
  return evidenceOf(facts, modelOf(intent.request), now);
}

function wait(code: string, reason: string): Decision {
  return { do: 'wait', why: { code, reason, evidence: null } };
}

function reject(code: string, reason: string, evidence: IntentWords['evidence'] = null): Decision {
  return end('reject', code, reason, evidence);
}

function end(
  event: Extract<Decision, { do: 'end' }>['event'],
  code: string,
  reason: string,
  evidence: IntentWords['evidence'] = null,
): Decision {
  return { do: 'end', event, why: { code, reason, evidence } };
}
