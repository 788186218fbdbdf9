import type { HostProfiles } from '#shared/schemas/host.ts';
import { hardwareReply, runningReply, versionReply } from '#shared/upstream/host-replies.ts';
import { displayVersion } from '#shared/upstream/version-text.ts';
import { mapHardware } from '../domain/map-hardware.ts';
import type { HostFeatures, UpstreamFailure, UpstreamResult } from '../domain/ports.ts';
import { mapProfiles } from '../domain/map-profiles.ts';
import { PROFILES_MAX_BYTES } from './llama-swap-profiles.ts';
import { failureOfStatus } from './upstream-failure.ts';
import { type HttpReply, parseJson, readReply, type UpstreamHttp } from './upstream-http.ts';

const PROBE_TIMEOUT_MS = 8000;
/** Enough for any single answer of a probe but the whole ring of `/api/metrics`. */
const PROBE_MAX_BYTES = 256 * 1024;
/** Samples later than any clock: an answer that holds none, however far the host's clock is ahead. */
export const NO_SAMPLES = `/api/performance?after=${encodeURIComponent('9999-12-31T23:59:59Z')}`;
const RING_MAX_BYTES = 32 * 1024 * 1024;

type Build = Pick<HostFeatures, 'version' | 'commit' | 'buildDate'>;
type Failed = { readonly ok: false; readonly failure: UpstreamFailure };

/**
 * Finds what a host can do, once `/api/events` is open: in this order, reading only, loading nothing, and never by
 * comparing versions. What is cached for the very same build is not asked again but for the restart marker.
 */
export async function probeHost(
  http: UpstreamHttp,
  options: { readonly known: HostFeatures | null; readonly signal: AbortSignal },
): Promise<UpstreamResult<HostFeatures>> {
  const { known, signal } = options;
  const get = (path: string, maxBytes = PROBE_MAX_BYTES) =>
    http.get(path, { signal, timeoutMs: PROBE_TIMEOUT_MS, maxBytes });

  const proxy = await get('/status');
  if (!proxy.ok) return proxy;
  if (isWolProxy(proxy.value)) return { ...proxy, value: BEHIND_WOL_PROXY };

  const build = await readBuild(get, http);
  if (!build.ok) return build;
  if (known && !known.wolProxy && isSameBuild(known, build.value)) {
    return await probeAgain(get, known, build.clockOffsetMs);
  }

  const listing = await readListing(get, http);
  if (!listing.ok) return listing;
  const { activity, rewritten } = listing.value;
  if (activity === 'none' && build.value.version === null) return fail({ kind: 'too_old', version: null });

  const questions = {
    range: activity === 'activity' ? '/api/metrics/activity?limit=1&min_id=0' : null,
    source: activity === 'activity' ? '/api/metrics/activity?limit=1&sort=src' : null,
    performance: NO_SAMPLES,
    wolHealth: '/wol-health',
    profiles: '/api/profiles',
    hardware: '/api/hardware',
    logStream: '/api/events/logs',
  };
  const answers = new Map<string, HttpReply>();
  for (const [name, path] of Object.entries(questions)) {
    if (path === null) continue;
    const answer = await get(path, name === 'profiles' ? PROFILES_MAX_BYTES : PROBE_MAX_BYTES);
    if (!answer.ok) return answer;
    if (answer.value.status === 401) return fail({ kind: 'unauthorized' });
    answers.set(name, answer.value);
  }
  const status = (name: keyof typeof questions) => answers.get(name)?.status;
  const hardware = answers.get('hardware');
  const profiles = answers.get('profiles');
  const value: HostFeatures = {
    ...build.value,
    activity,
    activityRange: status('range') === 400,
    activitySource: status('source') === 200,
    // 503 is "disabled": it answers all the same, and unlogged.
    performance: status('performance') === 200 || status('performance') === 503,
    wolHealth: status('wolHealth') === 200,
    profiles: status('profiles') === 200,
    profileList: profiles ? readProfiles(profiles) : null,
    hardware: status('hardware') === 200 || status('hardware') === 503,
    ...(hardware ? readHardware(hardware) : NO_HARDWARE),
    // Without a stream named it answers 400, where it exists (v259+).
    logStream: status('logStream') === 400,
    inFlightTrusted: rewritten,
    modelLogs: rewritten,
    wolProxy: false,
  };
  return { ok: true, value, clockOffsetMs: build.clockOffsetMs };
}

/** What answers at an address that has no `/api/events`: a llama-swap older than v135, or something else. */
export async function identifyHost(http: UpstreamHttp, signal: AbortSignal): Promise<UpstreamFailure> {
  const get = (path: string) =>
    http.get(path, { signal, timeoutMs: PROBE_TIMEOUT_MS, maxBytes: PROBE_MAX_BYTES });
  const build = await readBuild(get, http);
  if (!build.ok) return build.failure;
  const { version } = build.value;
  if (version === null) return { kind: 'too_old', version };
  // Versions since v173 have events: something in front of it keeps them away.
  return {
    kind: 'not_llama_swap',
    detail: `llama-swap ${displayVersion(version)} behind something without /api/events`,
  };
}

const NO_HARDWARE: Pick<HostFeatures, 'bootMarker' | 'machine'> = { bootMarker: null, machine: null };

/** What the host is made of, and when it looked, once a process start; nothing when it gives no report. */
function readHardware(reply: HttpReply): Pick<HostFeatures, 'bootMarker' | 'machine'> {
  const report = hardwareReply.safeParse(reply.status === 200 ? parseJson(reply.body) : undefined);
  if (!report.success) return NO_HARDWARE;
  return { bootMarker: report.data.captured_at?.slice(0, 64) ?? null, machine: mapHardware(report.data) };
}

/** What may have changed since the last connect to the very same build: a process start, and its configuration. */
async function probeAgain(
  get: (path: string, maxBytes?: number) => Promise<UpstreamResult<HttpReply>>,
  known: HostFeatures,
  clockOffsetMs: number | null,
): Promise<UpstreamResult<HostFeatures>> {
  let value = known;
  if (known.hardware) {
    const hardware = await get('/api/hardware');
    if (!hardware.ok) return hardware;
    value = { ...value, ...readHardware(hardware.value) };
  }
  if (known.profiles) {
    const profiles = await get('/api/profiles', PROFILES_MAX_BYTES);
    if (!profiles.ok) return profiles;
    value = { ...value, profileList: readProfiles(profiles.value) };
  }
  return { ok: true, value, clockOffsetMs };
}

function readProfiles(reply: HttpReply): HostProfiles | null {
  return reply.status === 200 ? mapProfiles(parseJson(reply.body)) : null;
}

// The proxy's own text; a plain llama-swap has no such path.
function isWolProxy(reply: HttpReply): boolean {
  return reply.status === 200 && reply.body.startsWith('status: ');
}

/**
 * Nothing else is asked through a wake-on-LAN proxy: its host may fall asleep between two requests, and the second
 * would wake it. What it sends on the stream is all that is known.
 */
const BEHIND_WOL_PROXY: HostFeatures = {
  version: null,
  commit: null,
  buildDate: null,
  activity: 'none',
  activityRange: false,
  activitySource: false,
  performance: false,
  wolHealth: false,
  profiles: false,
  profileList: null,
  hardware: false,
  ...NO_HARDWARE,
  logStream: false,
  inFlightTrusted: false,
  modelLogs: false,
  wolProxy: true,
};

async function readBuild(
  get: (path: string) => Promise<UpstreamResult<HttpReply>>,
  http: UpstreamHttp,
): Promise<UpstreamResult<Build>> {
  const reply = await get('/api/version');
  if (!reply.ok) return reply;
  if (reply.value.status === 404) return await readOldBuild(get, http);
  if (reply.value.status !== 200) return fail(failureOfStatus(reply.value, http.secrets()));
  const version = versionReply.safeParse(parseJson(reply.value.body));
  if (!version.success)
    return fail({ kind: 'not_llama_swap', detail: 'its /api/version is not that of llama-swap' });
  const { version: text, commit, build_date: buildDate } = version.data;
  const value = {
    version: text.slice(0, 100),
    commit: commit.slice(0, 100),
    buildDate: buildDate.slice(0, 100),
  };
  return { ...reply, value };
}

async function readOldBuild(
  get: (path: string) => Promise<UpstreamResult<HttpReply>>,
  http: UpstreamHttp,
): Promise<UpstreamResult<Build>> {
  const reply = await get('/running');
  if (reply.ok && reply.value.status === 404) {
    return fail({ kind: 'not_llama_swap', detail: 'it has neither /api/version nor /running' });
  }
  const running = readReply(
    reply,
    (json) => (runningReply.safeParse(json).success ? true : null),
    http.secrets(),
  );
  if (running.ok) return { ...running, value: { version: null, commit: null, buildDate: null } };
  if (running.failure.kind !== 'malformed') return running;
  return fail({ kind: 'not_llama_swap', detail: 'its /running is not that of llama-swap' });
}

/** Which listing of activity there is, and whether the server is the one rewritten in v218. */
async function readListing(
  get: (path: string, maxBytes?: number) => Promise<UpstreamResult<HttpReply>>,
  http: UpstreamHttp,
): Promise<UpstreamResult<{ readonly activity: HostFeatures['activity']; readonly rewritten: boolean }>> {
  const pages = await get('/api/metrics/activity?limit=1');
  if (!pages.ok) return pages;
  if (pages.value.status === 200) return { ...pages, value: { activity: 'activity', rewritten: true } };
  if (pages.value.status !== 404) return fail(failureOfStatus(pages.value, http.secrets()));
  // Go's own text for an unknown path; the server before v218 sends none.
  const rewritten = pages.value.body.startsWith('404 page not found');
  const ring = await get('/api/metrics', RING_MAX_BYTES);
  if (!ring.ok) return ring;
  return { ...ring, value: { activity: ring.value.status === 200 ? 'metrics' : 'none', rewritten } };
}

function isSameBuild(known: Build, build: Build): boolean {
  return (
    build.version !== null &&
    known.version === build.version &&
    known.commit === build.commit &&
    known.buildDate === build.buildDate
  );
}

function fail(failure: UpstreamFailure): Failed {
  return { ok: false, failure };
}
