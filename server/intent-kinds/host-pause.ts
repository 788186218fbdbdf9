import { INTENT_TTL_MS } from '#shared/schemas/intent-life.ts';
import { defineKind } from '../domain/intent-kind.ts';
import { foundDone, interrupted } from './shared-outcomes.ts';

/** Stops listening to a host, until a time or until somebody resumes it. Nothing reaches the host. */
export const hostPause = defineKind('host.pause', {
  role: 'operator',
  ttlMs: INTENT_TTL_MS['host.pause'],
  deadlineMs: 10_000,
  lane: 'control',
  idempotent: true,
  actsOn: 'registry',
  mayWake: false,
  label: () => 'Pause monitoring',
  notDone: 'Not paused',
  check: ({ params }, _facts, now) =>
    params.untilMs !== undefined && params.untilMs <= now
      ? { code: 'past', reason: 'Not paused: the time it was to last until has passed.' }
      : null,
  confirmation: () => null,
  run({ request, host, pauses }) {
    pauses.setPaused(host.id, true, request.params.untilMs ?? null);
    return Promise.resolve({
      state: 'succeeded',
      code: null,
      reason: `Done. ${host.label} is not listened to.`,
    });
  },
  resume: ({ facts }) =>
    Promise.resolve(
      facts()?.host.paused === true
        ? foundDone('Done. Monitoring is paused.')
        : interrupted('Monitoring is not paused.'),
    ),
});
