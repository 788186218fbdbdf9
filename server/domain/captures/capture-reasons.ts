import { assertNever } from '#shared/lib/assert.ts';
import type { ErrorCode } from '#shared/schemas/error.ts';
import type { HostFacts } from '../host-facts.ts';
import { type CaptureContext, MAX_LATER_ROWS } from './capture-ports.ts';

/** Why there is no capture: `capture_gone` for good, `capture_unavailable` for now. */
export interface CaptureReason {
  readonly code: Extract<ErrorCode, 'capture_gone' | 'capture_unavailable'>;
  /** Sentences for a person. */
  readonly words: string;
}

/** Captures came with this release, and stay of requests that failed from this one on. */
const FIRST_RELEASE = 190;
const FAILURES_RELEASE = 229;
/** Of fewer requests without a capture nothing follows. */
const ENOUGH_ROWS = 5;

const SWITCH_ON = 'To keep them, set captureBuffer to some megabytes in its config and restart llama-swap.';
const KEEP_MORE = 'To keep more of them, raise captureBuffer (in MB) in its config.';

/** The number of a release (`v217` → 217); null for other builds. */
function releaseOf(version: string | null): number | null {
  const found = /^v(\d{2,5})(?:-|$)/.exec(version ?? '');
  return found ? Number(found[1]) : null;
}

const gone = (words: string): CaptureReason => ({ code: 'capture_gone', words });
const later = (words: string): CaptureReason => ({ code: 'capture_unavailable', words });

/** What is known of the request and its host; `facts` is null for a host that was removed. */
export interface CaptureCase {
  readonly context: CaptureContext;
  readonly facts: HostFacts | null;
  readonly version: string | null;
}

/** Why the host is not asked at all; null: it is. */
export function reasonNotToAsk({ context, facts, version }: CaptureCase): CaptureReason | null {
  const { row } = context;
  if (facts === null)
    return gone(`${row.hostId} was removed from this fleet, and nobody had opened this one before.`);
  const { label } = facts.host;
  const release = releaseOf(version);
  if (release !== null && release < FIRST_RELEASE)
    return gone(`llama-swap ${version} on ${label} keeps no captures; they came with v${FIRST_RELEASE}.`);
  if (!context.isCurrentEpoch)
    return gone(
      `${label} restarted or read its config anew since this request: captures are in its memory only, and it counts its requests from the beginning again.`,
    );
  // Up to v211 a capture may be there that the row does not tell of yet.
  const rowMayBeEarly = release !== null && release < 212;
  if (!row.hasCapture && !rowMayBeEarly) return gone(whyNoneWasKept({ context, facts, version }));
  return reasonOutOfReach(facts);
}

/** The host was asked and has none: the likely reason. */
export function reasonNotFound(asked: CaptureCase & { readonly facts: HostFacts }): CaptureReason {
  const { context, facts } = asked;
  const { label } = facts.host;
  if (!context.row.hasCapture) return gone(whyNoneWasKept(asked));
  if (facts.since > context.row.endedAt)
    return gone(
      `Likely lost when ${label} restarted or read its config anew: its event stream was opened again after this request, and captures are in its memory only.`,
    );
  if (isSwitchedOff(context)) return gone(`${label} seems to keep no captures any more. ${SWITCH_ON}`);
  return gone(
    `Likely pushed out by newer ones: ${laterRequests(context)} ended on ${label} since. ${KEEP_MORE}`,
  );
}

function laterRequests({ laterRows }: CaptureContext): string {
  if (laterRows >= MAX_LATER_ROWS) return `${MAX_LATER_ROWS} requests or more`;
  return laterRows === 1 ? '1 request' : `${laterRows} requests`;
}

/** The host gave the capture of another request: its ids began anew, and Drover has yet to notice. */
export function reasonOther(label: string): CaptureReason {
  return gone(
    `${label} has another request under this number now: it restarted, and captures are in its memory only.`,
  );
}

function whyNoneWasKept({ context, facts, version }: CaptureCase): string {
  const { row } = context;
  const label = facts?.host.label ?? row.hostId;
  const release = releaseOf(version);
  if (row.status === 499) return `${label} kept none: the client left before there was an answer.`;
  const failed = row.status !== null && row.status >= 400;
  if (failed && release !== null && release < FAILURES_RELEASE)
    return `llama-swap ${version} keeps no captures of requests that failed; v${FAILURES_RELEASE} and later do.`;
  if (isSwitchedOff(context))
    return `Captures are switched off on ${label}, as it seems: none of its last ${context.recentRows} requests has one. ${SWITCH_ON}`;
  return `${label} kept none of this request. It does so when one is larger than its captureBuffer, or was pushed out before Drover saw it.`;
}

function isSwitchedOff({ recentRows, recentCaptures }: CaptureContext): boolean {
  return recentRows >= ENOUGH_ROWS && recentCaptures === 0;
}

function reasonOutOfReach(facts: HostFacts): CaptureReason | null {
  const { label, paused } = facts.host;
  if (paused) return later(`Monitoring of ${label} is paused; it is not asked meanwhile.`);
  if (facts.features.includes('wol-proxy'))
    return gone(
      `${label} is behind a wake-on-LAN proxy. Asking it would keep the machine awake, so it is not asked.`,
    );
  switch (facts.liveness) {
    case 'connected':
      return null;
    case 'asleep':
      return later(`${label} is asleep, and asking would wake it.`);
    case 'reconnecting':
    case 'down':
    case 'unauthorized':
    case 'incompatible':
      return later(`${label} is not connected, so it cannot be asked. A restart would empty its captures.`);
    default:
      return assertNever(facts.liveness);
  }
}
