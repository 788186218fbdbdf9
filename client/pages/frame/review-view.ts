import type { IntentEntry } from '../../data/intents/types.ts';
import { plural } from '../../ui/format.ts';
import type { ActFacts } from '../intents/act-need.ts';
import { cutBy } from '../intents/act-need.ts';

/** What has become of the target of an action that waited here, and whether it speaks against sending it. */
export interface ReviewView {
  /** `idle`, `still asleep`, `gpt-oss-20b is starting there`: after "Now:". */
  readonly now: string;
  /** What would follow, a sentence; empty where nothing needs to be said. */
  readonly outcome: string;
  /** It is not ticked by itself. */
  readonly isAgainst: boolean;
}

const AT_REST = ['stopped', 'shutdown'];

/** Compares what an action was meant for with what is there now. */
export function reviewView(entry: IntentEntry, facts: ActFacts): ReviewView {
  const { host } = facts;
  if (host === null) return against('the fleet has no such host any more');
  if (!facts.isLive) return against('not known', 'The collector is away again.');
  if (entry.kind === 'host.pause') return host.paused ? against('paused already') : plain('listened to');
  if (entry.kind === 'host.resume')
    return host.paused ? plain('still paused') : against('listened to already');
  if (host.paused) return unreachable(entry, 'paused');
  switch (host.liveness) {
    case 'asleep':
      return asleep(entry);
    case 'down':
      return unreachable(entry, 'down');
    case 'unauthorized':
      return unreachable(entry, 'refusing its key');
    case 'incompatible':
      return unreachable(entry, 'not supported');
    case 'reconnecting':
      return plain('reconnecting', 'It goes once the host is connected.');
    case 'connected':
      return reachable(entry, facts);
  }
}

function reachable(entry: IntentEntry, facts: ActFacts): ReviewView {
  switch (entry.kind) {
    case 'model.load':
      return loadView(entry, facts);
    case 'model.unload':
      return unloadView(entry, facts);
    case 'request.cancel': {
      const { requests } = cutBy(facts, null);
      const runs = requests.some(({ id }) => id === entry.params['requestId']);
      return runs ? plain('it still runs') : against('that request does not run any more');
    }
    default:
      return plain('the host is live');
  }
}

function loadView({ target }: IntentEntry, facts: ActFacts): ReviewView {
  const model = facts.models.find(({ modelId }) => modelId === target.modelId);
  if (model === undefined) return against('the host lists no such model');
  if (model.state === 'ready') return against('ready already');
  if (model.state === 'starting') return against('starting already');
  const others = facts.models.filter(
    ({ modelId, state, peerId }) => peerId === null && modelId !== target.modelId && !AT_REST.includes(state),
  );
  const starting = others.find(({ state }) => state === 'starting');
  if (starting !== undefined)
    return against(`${starting.modelId} is starting there`, 'It may be swapped out.');
  const busy = others.find(({ modelId }) => (cutBy(facts, modelId).count ?? 0) > 0);
  if (busy !== undefined) {
    const count = cutBy(facts, busy.modelId).count ?? 0;
    return against(
      `${plural(count, 'request')} ${count === 1 ? 'runs' : 'run'} on ${busy.modelId} there`,
      'It may be swapped out.',
    );
  }
  const [ready] = others;
  return ready === undefined
    ? plain(model.state)
    : plain(`${model.state}; ${ready.modelId} is ${ready.state} there`, 'It may be swapped out.');
}

function unloadView(entry: IntentEntry, facts: ActFacts): ReviewView {
  const { target, confirm, precondition } = entry;
  const isOne = target.modelId !== undefined;
  const models = facts.models.filter(({ modelId }) => !isOne || modelId === target.modelId);
  if (isOne && models.length === 0) return against('the host lists no such model');
  if (models.every(({ state }) => AT_REST.includes(state))) return against('stopped already');
  const { count } = cutBy(facts, target.modelId ?? null);
  if (count === 0) return plain('idle');
  const run =
    count === null
      ? 'how many requests run is not known'
      : `${plural(count, 'request')} ${count === 1 ? 'runs' : 'run'}`;
  const isQuietOnly = precondition?.inFlightMax === 0 || precondition?.idleForMs !== undefined;
  if (isQuietOnly) return against(run, 'It would not be done.');
  const isAgreed =
    confirm !== null && (confirm.inFlight === null || (count !== null && count <= confirm.inFlight));
  if (isAgreed) return plain(run, count === null ? '' : 'You had agreed to cut them.');
  const had = confirm === null ? 'you had confirmed none' : `you had confirmed ${confirm.inFlight ?? 'any'}`;
  return against(`${run}; ${had}`, 'You would be asked again.');
}

function asleep(entry: IntentEntry): ReviewView {
  if (entry.kind === 'model.load') {
    return entry.confirm === null
      ? against('asleep', 'You would be asked whether to wake it.')
      : plain('asleep', 'It would be woken, as you agreed.');
  }
  return unreachable(entry, 'asleep');
}

function unreachable(entry: IntentEntry, state: string): ReviewView {
  return entry.whenDown === 'wait'
    ? plain(`still ${state}`, 'It would wait.')
    : against(state, 'It would not be accepted.');
}

function plain(now: string, outcome = ''): ReviewView {
  return { now, outcome, isAgainst: false };
}

function against(now: string, outcome = ''): ReviewView {
  return { now, outcome, isAgainst: true };
}
