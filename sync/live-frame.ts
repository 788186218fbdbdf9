import { liveSubscription } from '#shared/schemas/live.ts';
import type { LiveNews, LiveSubscription, LiveTopic, PresenceReport } from '#shared/schemas/live.ts';
import { ByteWriter } from './bytes.ts';
import type { ByteReader } from './bytes.ts';
import { writePerformances } from './live-performance.ts';
import { writePresences } from './live-presence.ts';
import { writeInFlights, writeStatuses } from './live-values.ts';
import type { LiveValues } from './live-values.ts';

/** Message type of live frames beside y-protocols' 0–3; sent only to sockets that sent one themselves. */
export const LIVE_MESSAGE = 100;

/** Second number of a live frame. */
export const LIVE_KIND = {
  subscribe: 0,
  snapshot: 1,
  delta: 2,
  notice: 3,
  discard: 4,
  presence: 5,
  news: 6,
  clock: 7,
  logs: 8,
} as const;

/** Topics by their number on the wire. */
export const LIVE_TOPICS: readonly LiveTopic[] = ['status', 'in-flight', 'presence', 'performance'];

/** Longest subscription text that is read. */
const SUBSCRIPTION_LIMIT = 32 * 1024;

/** Head of snapshots and deltas. A delta holds for the snapshot of its topic with the same `seq` only. */
export interface LiveHead {
  readonly seq: number;
  /** Collector time of the frame; times inside are relative to it. */
  readonly at: number;
}

/** Client → server: replaces the subscription; no topics at all still says "this client reads live frames". */
export function encodeSubscribe(subscription: LiveSubscription): Uint8Array {
  const out = begin(LIVE_KIND.subscribe);
  out.string(JSON.stringify(subscription));
  return out.toBytes();
}

/** Reads the body of a subscribe frame (after its kind); null when it is none. */
export function parseSubscribe(input: ByteReader): LiveSubscription | null {
  if (input.remaining > SUBSCRIPTION_LIMIT) return null;
  try {
    return liveSubscription.safeParse(JSON.parse(input.string())).data ?? null;
  } catch {
    return null;
  }
}

/** Server → client: `count` live frames were not sent because the client reads too slowly. */
export function encodeNotice(count: number): Uint8Array {
  const out = begin(LIVE_KIND.notice);
  out.uint(count);
  return out.toBytes();
}

/** Server → client: writes to this read-only document were dropped; the app must drop its copy and fetch it anew. */
export function encodeDiscard(document: string): Uint8Array {
  const out = begin(LIVE_KIND.discard);
  out.string(document);
  return out.toBytes();
}

/** Client → server: what this page's user looks at; said again while it holds, or it is forgotten. */
export function encodePresence(report: PresenceReport): Uint8Array {
  const out = begin(LIVE_KIND.presence);
  out.string(JSON.stringify(report));
  return out.toBytes();
}

/**
 * Client → server, on an outbox: what the device's clock says now, epoch milliseconds. Said before the first record and
 * whenever the clock may have moved; the life of a record is counted on the collector's clock.
 */
export function encodeClock(deviceNowMs: number): Uint8Array {
  const out = begin(LIVE_KIND.clock);
  out.int(Math.round(deviceNowMs));
  return out.toBytes();
}

/** Server → client: ask for this again, it changed. */
export function encodeNews(news: LiveNews): Uint8Array {
  const out = begin(LIVE_KIND.news);
  out.string(news);
  return out.toBytes();
}

/** Server → client: a topic's host table and all its values. */
export function encodeSnapshot(head: LiveHead, hosts: readonly string[], values: LiveValues): Uint8Array {
  const out = begin(LIVE_KIND.snapshot);
  writeHead(out, values.topic, head);
  out.uint(hosts.length);
  for (const host of hosts) out.string(host);
  writeValues(out, head.at, values);
  return out.toBytes();
}

/** Server → client: the values that changed since the last frame of this snapshot, each one whole. */
export function encodeDelta(head: LiveHead, values: LiveValues): Uint8Array {
  const out = begin(LIVE_KIND.delta);
  writeHead(out, values.topic, head);
  writeValues(out, head.at, values);
  return out.toBytes();
}

function begin(kind: number): ByteWriter {
  const out = new ByteWriter();
  out.uint(LIVE_MESSAGE);
  out.uint(kind);
  return out;
}

function writeHead(out: ByteWriter, topic: LiveTopic, head: LiveHead): void {
  out.uint(LIVE_TOPICS.indexOf(topic));
  out.uint(head.seq);
  out.int(head.at);
}

function writeValues(out: ByteWriter, at: number, values: LiveValues): void {
  switch (values.topic) {
    case 'status':
      return writeStatuses(out, at, values.patches);
    case 'in-flight':
      return writeInFlights(out, at, values.patches);
    case 'presence':
      return writePresences(out, at, values.patches);
    case 'performance':
      return writePerformances(out, at, values.patches);
  }
}
