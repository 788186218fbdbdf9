import { assertNever } from '#shared/lib/assert.ts';
import type { HostFacts } from './host-facts.ts';
import { clipDetail } from './intent-words.ts';

/** Why a host cannot be acted on now. `connecting` passes by itself within seconds, or becomes `away`. */
export interface OutOfReach {
  readonly kind: 'connecting' | 'away';
  readonly code: string;
  readonly reason: string;
}

/** Null when an intent can be sent to the host: it is listened to, or sleeps and may be woken. */
export function reachOf(facts: HostFacts, mayWake: boolean): OutOfReach | null {
  const { label, paused } = facts.host;
  if (paused) return away('host_paused', `Monitoring of ${label} is paused.`);
  const because = facts.reason === null ? '' : `: ${clipDetail(facts.reason)}`;
  switch (facts.liveness) {
    case 'connected':
      return facts.current ? null : connecting(label);
    case 'reconnecting':
      return connecting(label);
    case 'asleep':
      return mayWake ? null : away('host_asleep', `${label} is asleep; this does not wake it.`);
    case 'down':
      return away('host_down', `${label} was down${because}.`);
    case 'unauthorized':
      return away('host_unauthorized', `${label} does not let Drover in${because}.`);
    case 'incompatible':
      return away('host_incompatible', `${label} cannot be used${because}.`);
    default:
      return assertNever(facts.liveness);
  }
}

function connecting(label: string): OutOfReach {
  return { kind: 'connecting', code: 'connecting', reason: `Until ${label} is connected.` };
}

function away(code: string, reason: string): OutOfReach {
  return { kind: 'away', code, reason };
}
