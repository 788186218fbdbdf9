import { ageWords, agoWords } from '#shared/lib/age-words.ts';
import type { Liveness } from '#shared/schemas/host.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { failureKindOf } from '../connection-reason.ts';
import type { HostConfig, HostStatus } from '../ports.ts';
import { checkOf, counted, type CheckMaker } from './check.ts';

/** A host as its connector has it, or as it was last recorded. */
export interface HostHealthFacts {
  readonly config: HostConfig;
  /** Null before the first word of its connector. */
  readonly status: HostStatus | null;
  /** Pieces of its log that were skipped unread because they came too fast; null: nobody listens. */
  readonly logsDropped: number | null;
}

/** A clock this far off puts samples beside the wrong requests. */
const CLOCK_OFF_MS = 60_000;

/** One check for every host that has something to say, and one for all the others together. */
export function hostChecks(hosts: readonly HostHealthFacts[], now: number): readonly HealthCheck[] {
  if (hosts.length === 0) return [checkOf('hosts', 'Hosts').ok('None yet.')];
  const own = hosts.flatMap((host) => ownCheck(host, now) ?? []);
  const named = new Set(own.map(({ hostId }) => hostId));
  const quiet = hosts.filter(({ config }) => !named.has(config.id));
  if (quiet.length === 0) return own;
  const title = `${quiet.length === 1 ? 'Host' : 'Hosts'} ${quiet.map(({ config }) => config.label).join(', ')}`;
  return [...own, checkOf('hosts', title).ok(quietWords(quiet))];
}

function quietWords(hosts: readonly HostHealthFacts[]): string {
  const dropped = hosts.flatMap(({ logsDropped }) => logsDropped ?? []);
  const streams = hosts.length === 1 ? 'Event stream' : 'Event streams';
  if (dropped.length === 0) return `${streams} open when last recorded.`;
  const sum = dropped.reduce((total, count) => total + count, 0);
  return `${streams} open, ${counted(sum, 'piece')} of log skipped unread.`;
}

/** Null: it is connected, and there is nothing else to say. */
function ownCheck({ config, status }: HostHealthFacts, now: number): HealthCheck | null {
  const standing = config.paused ? 'paused' : (status?.liveness ?? 'reconnecting');
  const check = checkOf(`host:${config.id}`, `Host ${config.label}`, { hostId: config.id, standing });
  if (config.paused) return check.ok('Monitoring is paused: nothing of it is recorded.');
  if (status === null)
    return check.warn({ detail: 'Connecting for the first time.', remediation: NOTHING_YET });
  switch (status.liveness) {
    case 'connected':
      return clockCheck(check, status);
    case 'asleep':
      return check.ok(`${status.reason ?? 'Behind a wake-on-LAN proxy.'} ${spanOf('Asleep', status, now)}`);
    case 'reconnecting':
      return check.warn({ detail: troubleOf('Away', status, now), remediation: NOTHING_YET });
    case 'down':
      return check.fail({ detail: troubleOf('Down', status, now), remediation: remedyOf(config, status) });
    case 'unauthorized':
    case 'incompatible':
      return check.fail({ detail: troubleOf('So', status, now), remediation: remedyOf(config, status) });
  }
}

const NOTHING_YET = 'Nothing to do yet: it is tried again by itself.';

function clockCheck(check: CheckMaker, { clockOffsetMs }: HostStatus): HealthCheck | null {
  if (clockOffsetMs === null || Math.abs(clockOffsetMs) < CLOCK_OFF_MS) return null;
  const way = clockOffsetMs > 0 ? 'behind' : 'ahead of';
  return check.warn({
    detail: `Its clock is ${ageWords(Math.abs(clockOffsetMs))} ${way} the collector's.`,
    remediation: 'Set its clock, or let it follow a time server: samples stand beside the wrong requests.',
  });
}

function troubleOf(word: string, status: HostStatus, now: number): string {
  const attempt = status.attempt === null ? '' : `, attempt ${status.attempt.toLocaleString('en-US')}`;
  const last =
    status.lastSeenAt === null ? 'It was never heard.' : `Last data ${agoWords(now - status.lastSeenAt)}.`;
  return `${status.reason ?? 'It does not answer.'} ${word} for ${ageWords(now - status.since)}${attempt}. ${last}`;
}

function spanOf(word: string, { since }: HostStatus, now: number): string {
  return `${word} for ${ageWords(now - since)}.`;
}

const BY_LIVENESS: Readonly<Record<Exclude<Liveness, 'connected' | 'reconnecting' | 'asleep'>, string>> = {
  down: 'Press Test on the host: it says what answers at its address.',
  unauthorized: 'Replace the key in Edit, or add it to apiKeys on the host.',
  incompatible: 'Check its address, or bring its llama-swap to v140 or later.',
};

function remedyOf({ label, keySource }: HostConfig, { liveness, reason }: HostStatus): string {
  if (liveness === 'connected' || liveness === 'reconnecting' || liveness === 'asleep') return NOTHING_YET;
  if (liveness === 'unauthorized' && keySource?.startsWith('env:') === true) {
    return `Set ${keySource.slice('env:'.length)} where the server is started and restart it, or add the key to apiKeys on ${label}.`;
  }
  switch (failureKindOf(reason ?? '')) {
    case 'refused':
      return `On ${label}: is llama-swap running (systemctl status llama-swap), and does it listen beyond localhost?`;
    case 'dns':
      return 'Check the name in its address, or use the IP address.';
    case 'unreachable':
      return `Switch ${label} on, or look at the network between it and this server.`;
    case 'reset':
      return `On ${label}: see the log of llama-swap and of any proxy before it.`;
    case 'http':
    case 'malformed':
    case 'too_large':
      return `Look at what answers at its address, and at the log of llama-swap on ${label}.`;
    case 'too_old':
      return `Update llama-swap on ${label} to v140 or later.`;
    case 'not_llama_swap':
      return 'Check its address and port: something else answers there.';
    default:
      return BY_LIVENESS[liveness];
  }
}
