import { ageWords } from '#shared/lib/age-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import type { DeviceFacts, WorkerState } from '../../data/use-device-facts.ts';
import { formatBytes } from '../../ui/format.ts';

const DEVICE = { name: 'device', title: 'This device' } as const;
/** So far off, and what stands beside each other by time is not what happened together. */
const CLOCK_OFF_MS = 60_000;

const WORKER_WORDS: Readonly<Record<WorkerState, string>> = {
  unsupported: 'no service worker',
  none: 'no service worker',
  installing: 'service worker installing',
  active: 'service worker active',
  waiting: 'a newer version waits',
};

/** This device as one more check, in the grammar of the collector's own; nothing of it was asked of the collector. */
export function deviceCheck(facts: DeviceFacts): HealthCheck {
  const detail = `${[
    `App ${facts.appVersion}, ${WORKER_WORDS[facts.worker]}`,
    copyWords(facts),
    clockWords(facts.clockOffsetMs),
  ].join(', ')}.`;
  const trouble = troubleOf(facts);
  if (trouble === null) return { ...DEVICE, state: 'ok', detail, remediation: null };
  return {
    ...DEVICE,
    state: trouble.state,
    detail: `${trouble.words} ${detail}`,
    remediation: trouble.remediation,
  };
}

interface DeviceTrouble {
  readonly state: 'warn' | 'fail';
  readonly words: string;
  readonly remediation: string;
}

function troubleOf(facts: DeviceFacts): DeviceTrouble | null {
  if (facts.storage === 'insecure') {
    return {
      state: 'warn',
      words: 'This address is not encrypted: nothing is kept here.',
      remediation: 'Open Drover over https: see Phone and https.',
    };
  }
  if (facts.storage === 'not-saved') {
    return {
      state: 'fail',
      words: `Not saved on this device: ${(facts.storageError ?? 'the browser refused').replace(/\.$/, '')}.`,
      remediation: 'Free some space, leave the private window, or allow storage for this address.',
    };
  }
  if (Math.abs(facts.clockOffsetMs) >= CLOCK_OFF_MS) {
    return {
      state: 'warn',
      words: 'Its clock and the collector’s do not agree.',
      remediation: 'Let both follow a time server.',
    };
  }
  if (facts.worker === 'none') {
    return {
      state: 'warn',
      words: 'Without a service worker the app does not start without network.',
      remediation: 'Reload the page; a private window or a policy may forbid it.',
    };
  }
  if (facts.persist === 'refused') {
    return {
      state: 'warn',
      words: 'The browser may clear this copy.',
      remediation: 'Install the app or allow storage, then ask again in Storage.',
    };
  }
  return null;
}

function copyWords({ storage, copyBytes, budgetBytes, persist }: DeviceFacts): string {
  if (storage !== 'saved') return 'no copy';
  const promise = persist === 'granted' ? 'kept by promise' : 'no promise';
  return `copy ${formatBytes(copyBytes)} of ${formatBytes(budgetBytes)}, ${promise}`;
}

function clockWords(offsetMs: number): string {
  const off = Math.abs(offsetMs);
  if (off < CLOCK_OFF_MS) return `clock ${(off / 1000).toFixed(1)} s off`;
  return `clock ${ageWords(off)} ${offsetMs > 0 ? 'behind' : 'ahead'}`;
}
