import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { defineKind, type Effect, type Outcome } from '../domain/intent-kind.ts';
import {
  answerEvidence,
  answerWords,
  foundDone,
  interrupted,
  notKnown,
  SETTLE_MS,
} from './shared-outcomes.ts';

/** Switches the active profile, or to none. Nothing is loaded or stopped by it. */
export const profileActivate = defineKind('profile.activate', {
  role: 'operator',
  ttlMs: INTENT_TTL_MS['profile.activate'],
  deadlineMs: 60_000,
  lane: 'queue',
  idempotent: true,
  actsOn: 'host',
  mayWake: false,
  label: ({ params }) => (params.name === null ? 'Activate no profile' : `Activate profile ${params.name}`),
  notDone: 'Not switched',
  check: (_request, facts) =>
    facts.features.includes('profiles')
      ? null
      : {
          code: 'not_offered',
          reason: `${facts.host.label} has no profiles: llama-swap v241 and later have them.`,
        },
  confirmation: () => null,

  async run(effect) {
    const { name } = effect.request.params;
    if (toldProfile(effect)?.active === name) {
      return { state: 'succeeded', code: 'already', reason: `Done. ${nowActive(name)}` };
    }
    const answer = await effect.control.setProfile(name, effect.signal);
    const evidence = answerEvidence(answer);
    if (answer.ok && answer.value.status === 404) {
      const reason = `${effect.host.label} has no profile "${name ?? ''}".`;
      return { state: 'failed', code: 'unknown_profile', reason, evidence };
    }
    const wasTaken = answer.ok && answer.value.status < 400;
    const seen =
      wasTaken &&
      (await effect.until(
        (facts) => (facts.current && facts.profile?.active === name ? true : null),
        SETTLE_MS,
      ));
    const active = seen === true ? name : await readBack(effect);
    if (active === undefined) return notKnown('Which profile is active could not be read.', evidence);
    if (active === name)
      return { state: 'succeeded', code: null, reason: `Done. ${nowActive(name)}`, evidence };
    const said = answerWords(answer);
    const because = said === null ? '' : ` The host said: ${said}.`;
    return { state: 'failed', code: 'not_switched', reason: `${nowActive(active)}${because}`, evidence };
  },

  async resume(effect): Promise<Outcome> {
    await effect.until((facts) => (facts.current ? true : null), Number.MAX_SAFE_INTEGER);
    const told = await effect.until((facts) => (facts.current ? facts.profile : null), SETTLE_MS);
    const active = told === null ? await readBack(effect) : told.active;
    if (active === undefined)
      return notKnown('Drover restarted while it ran, and the profile could not be read.');
    return active === effect.request.params.name
      ? foundDone(`Done. ${nowActive(active)} Drover restarted meanwhile and sent nothing again.`)
      : interrupted(nowActive(active));
  },
});

/** The profile as the event stream told it; null when it has not. */
function toldProfile({ facts }: Effect<'profile.activate'>): { readonly active: string | null } | null {
  const known = facts();
  return known?.current === true ? known.profile : null;
}

/** The active profile, asked for: a line in the host's log. Undefined when it does not say. */
async function readBack({ control, signal }: Effect<'profile.activate'>): Promise<string | null | undefined> {
  const active = await control.activeProfile(signal);
  return active.ok ? active.value : undefined;
}

function nowActive(name: string | null): string {
  return name === null ? 'No profile is active.' : `Profile "${name}" is active.`;
}
