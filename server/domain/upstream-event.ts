import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { HostHardware, HostProfiles } from '#shared/schemas/host.ts';

/** A model as a host reports it: one row of `modelStatus`, mapped. Peers have state `unknown`. */
export interface ObservedModel {
  readonly modelId: string;
  readonly name: string;
  readonly description: string;
  readonly state: string;
  readonly aliases: readonly string[];
  readonly peerId: string | null;
  readonly unlisted: boolean;
  readonly contextLength: number | null;
  readonly capabilities: readonly string[];
  /** v259+: how long it has been ready, as of sending; null elsewhere. */
  readonly uptimeMs: number | null;
}

/** An activity row as a host reports it, mapped: no epoch yet, unknown values are null, text is redacted. */
export type ObservedActivity = Omit<ActivityRequest, 'type' | 'hostId' | 'idEpoch'>;

/** An in-flight row as a host reports it. `startedAtHost` is on the host's clock. */
export interface ObservedInFlight {
  readonly id: string;
  readonly modelId: string;
  readonly path: string | null;
  readonly method: string | null;
  readonly startedAtHost: number | null;
  readonly elapsedMs: number | null;
  /** What a header of the caller names, else its address (`ip:…`); null before v240. */
  readonly source: string | null;
  /** A header named it. */
  readonly isNamed: boolean;
  /** Bytes of the answer that went out so far; null: the host does not say. */
  readonly responseBytes: number | null;
}

/** One message of `/api/events`, whatever the era, mapped once. */
export type UpstreamEvent =
  /** A chunk of a log as it came: it may end anywhere and is not redacted; whole lines go through `cleanLogLine`. */
  | { readonly type: 'log'; readonly source: string; readonly text: string }
  /** Full snapshot of the host's models. */
  | { readonly type: 'models'; readonly models: readonly ObservedModel[] }
  /** ≤ v235: rows themselves; the whole history on connect (v152+), else new ones. */
  | { readonly type: 'activity-rows'; readonly rows: readonly ObservedActivity[] }
  /** v236+: a row exists; fetch it. */
  | { readonly type: 'activity-id'; readonly id: number }
  | { readonly type: 'in-flight-total'; readonly total: number }
  | { readonly type: 'in-flight-snapshot'; readonly requests: readonly ObservedInFlight[] }
  | { readonly type: 'in-flight-upsert'; readonly request: ObservedInFlight }
  | { readonly type: 'in-flight-remove'; readonly id: string }
  | { readonly type: 'ui-config'; readonly sessionHeaders: readonly string[] }
  | { readonly type: 'profile'; readonly active: string | null }
  /** A message type this version does not know. */
  | { readonly type: 'unknown'; readonly word: string }
  /** A frame that could not be read: counted and said, never fatal. */
  | { readonly type: 'malformed'; readonly detail: string };

/** What the probes of a host found, cached per (version, commit, build date). */
export interface HostFeatures {
  /** Text of `/api/version`, null where the host has none (≤ v172). */
  readonly version: string | null;
  readonly commit: string | null;
  readonly buildDate: string | null;
  /** How activity is listed: `none` (≤ v139), `metrics` ring (v140–v235), `activity` pages (v236+). */
  readonly activity: 'none' | 'metrics' | 'activity';
  /** `min_id`/`max_id` filters (the commits after v250, v251+). */
  readonly activityRange: boolean;
  /** Rows carry `src` (v253+). */
  readonly activitySource: boolean;
  /** `/api/performance` answers (v212+): the unlogged liveness probe, with `/wol-health` (v167+). */
  readonly performance: boolean;
  readonly wolHealth: boolean;
  readonly profiles: boolean;
  /** Its profiles as of this connect; null where not offered, or not told. */
  readonly profileList: HostProfiles | null;
  readonly hardware: boolean;
  /** Changes when the host's process restarts (`/api/hardware` captured_at); null where not offered. */
  readonly bootMarker: string | null;
  /** What `/api/hardware` says the host is made of; null where not offered. */
  readonly machine: HostHardware | null;
  /** v259+: logs come from `/api/events/logs`, never from `/api/events`. */
  readonly logStream: boolean;
  /** v218+ in-flight counts are right; before, the number is meaningless. */
  readonly inFlightTrusted: boolean;
  /** v218+ per-model logs survive a stop, so the reason of a failed start can be read there. */
  readonly modelLogs: boolean;
  /** A wake-on-LAN proxy stands in front: nothing is ever probed on a timer. */
  readonly wolProxy: boolean;
}
