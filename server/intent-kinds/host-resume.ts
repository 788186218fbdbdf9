import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { defineKind } from '../domain/intent-kind.ts';
import { foundDone, interrupted } from './shared-outcomes.ts';

/** Listens to a host again. */
export const hostResume = defineKind('host.resume', {
  role: 'operator',
  ttlMs: INTENT_TTL_MS['host.resume'],
  deadlineMs: 10_000,
  lane: 'control',
  idempotent: true,
  actsOn: 'registry',
  mayWake: false,
  label: () => 'Resume monitoring',
  notDone: 'Not resumed',
  check: () => null,
  confirmation: () => null,
  run({ host, pauses }) {
    pauses.setPaused(host.id, false, null);
    return Promise.resolve({ state: 'succeeded', code: null, reason: `Done. Connecting to ${host.label}.` });
  },
  resume: ({ facts }) =>
    Promise.resolve(
      facts()?.host.paused === false
        ? foundDone('Done. Monitoring is not paused.')
        : interrupted('Monitoring is still paused.'),
    ),
});
