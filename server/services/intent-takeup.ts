import type { IntentRequest } from '#shared/schemas/intent-request.ts';
import type { HostObserver } from '../domain/host-facts.ts';
import type { IntentRules } from '../domain/intent-kind.ts';
import { isUnclaimed } from '../domain/intent-lifecycle.ts';
import type { ReadableIntent } from '../domain/intent-ports.ts';
import type { Clock, Log } from '../domain/ports.ts';
import type { Store } from '../domain/store-ports.ts';
import type { HostGate } from './host-gate.ts';
import type { IntentLedger } from './intent-ledger.ts';
import type { Begun } from './intent-runner.ts';

/** What is needed to take up what an earlier process left. */
export interface TakeUpOptions {
  readonly store: Pick<Store, 'intents'>;
  readonly ledger: IntentLedger;
  readonly registry: Readonly<Record<IntentRequest['kind'], IntentRules>>;
  readonly observer: HostObserver;
  readonly gate: HostGate;
  readonly clock: Clock;
  readonly log: Log;
  /** True for an intent that this process itself runs. */
  readonly isOurs: (intentId: string) => boolean;
  /** Settles a running one by what is found; nothing is sent again. */
  readonly resume: (begun: Begun) => void;
}

/** Takes up what an earlier process left: claimed ones go back into their line, running ones are settled by what is found. */
export function takeUp(options: TakeUpOptions): void {
  for (const intent of options.store.intents.open()) {
    const { id, state } = intent.view;
    if (options.isOurs(id) || isUnclaimed(state)) continue;
    if (state === 'claimed') release(intent, options);
    else resume(intent, options);
  }
}

function release(intent: ReadableIntent, { store, ledger, gate }: TakeUpOptions): void {
  const { id } = intent.view;
  ledger.commit((changes) => {
    changes.step(id, 'release', { code: 'released', reason: 'Nothing had been sent yet.', evidence: null });
    const lease = store.intents.lease(intent.request.target.hostId);
    if (lease?.holder === id) gate.free(lease, changes);
  });
}

function resume(intent: ReadableIntent, options: TakeUpOptions): void {
  const { ledger, registry, observer, gate, clock, log } = options;
  const { id, transitions } = intent.view;
  const rules = registry[intent.request.kind];
  const host = observer.facts(intent.request.target.hostId)?.host ?? null;
  log.warn({ intentId: id, kind: rules.kind }, 'an intent was running when the process ended');
  if (host === null) {
    const reason = 'The host was removed while it ran. What became of it is not known.';
    ledger.commit((changes) =>
      changes.step(id, 'loseTrack', { code: 'host_removed', reason, evidence: null }),
    );
    return;
  }
  const claim = {
    hostId: host.id,
    holder: id,
    purpose: rules.label(intent.request),
    lastsMs: rules.deadlineMs,
  };
  const lease = rules.lane === 'control' ? null : ledger.commit((changes) => gate.grant(claim, changes));
  const startedAt = transitions.findLast((step) => step.state === 'running')?.at ?? clock.now();
  const access = gate.enter(host, lease);
  options.resume({ intent, rules, host, access, startedAt, resumed: true });
}
