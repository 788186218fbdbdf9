import * as Y from 'yjs';
import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import { FleetEntries } from '#sync/fleet-doc.ts';
import { fleetKey, modelEntry } from '#sync/fleet-record.ts';
import { encodeDelta } from '#sync/live-frame.ts';
import { type BenchPart, atMost } from './budget.ts';

const AT = Date.UTC(2026, 10, 30, 12);

/** What the documents weigh, and what they grow by when nothing but states changes. */
export const documentBench: BenchPart = {
  name: 'documents',
  async run() {
    return [
      atMost('fleet document, 10 hosts × 20 models', 64, 'KB', fleetBytes(10, 20) / 1024),
      atMost('fleet document, 200 hosts × 20 models', 1024, 'KB', fleetBytes(200, 20) / 1024),
      atMost(
        'fleet document after a day of status changes',
        8,
        'KB grown',
        dayOfChangesBytes() / 1024,
        '50 hosts, 17 changes an hour each',
      ),
      atMost('live status, 50 hosts at 1 Hz', 500, 'B/s a viewer', statusBytesPerSecond()),
      atMost('documents (and sockets) of a client', 4, 'sockets', 2, 'fleet and tail'),
    ];
  },
};

function fleetOf(hosts: number, models: number): { doc: Y.Doc; entries: FleetEntries } {
  const doc = new Y.Doc();
  const entries = new FleetEntries(doc);
  doc.transact(() => {
    for (let host = 0; host < hosts; host += 1) {
      const id = `host-${host}`;
      entries.set(fleetKey.host(id), hostEntry(id));
      for (let index = 0; index < models; index += 1) {
        const modelId = `qwen3-coder-30b-a3b-q${index}`;
        entries.set(fleetKey.model(id, modelId), modelEntry(exampleModel(id, modelId, 'stopped')));
      }
    }
  });
  return { doc, entries };
}

function fleetBytes(hosts: number, models: number): number {
  return Y.encodeStateAsUpdate(fleetOf(hosts, models).doc).byteLength;
}

function dayOfChangesBytes(): number {
  const { doc, entries } = fleetOf(50, 4);
  const before = Y.encodeStateAsUpdate(doc).byteLength;
  const states = ['starting', 'ready', 'stopping', 'stopped'];
  for (let change = 0; change < 24 * 17; change += 1) {
    doc.transact(() => {
      for (let host = 0; host < 50; host += 1) {
        const modelId = `qwen3-coder-30b-a3b-q${change % 4}`;
        const state = states[(change + host) % states.length] ?? 'stopped';
        entries.set(
          fleetKey.model(`host-${host}`, modelId),
          modelEntry(exampleModel(`host-${host}`, modelId, state)),
        );
      }
    });
  }
  return Y.encodeStateAsUpdate(doc).byteLength - before;
}

function statusBytesPerSecond(): number {
  let bytes = 0;
  for (let second = 1; second <= 60; second += 1) {
    const at = AT + second * 1000;
    const patches = Array.from({ length: 50 }, (_, index) => ({
      index,
      lastSeenAt: at - ((index * 37 + second * 11) % 1000),
      ...((index + second) % 5 === 0 ? { inFlight: (index + second) % 7 } : {}),
    }));
    bytes += encodeDelta({ seq: 1, at }, { topic: 'status', patches }).byteLength;
  }
  return bytes / 60;
}

function hostEntry(id: string): Host {
  return {
    id,
    label: id,
    url: `http://${id}.lan:8080`,
    liveness: 'connected',
    since: AT,
    lastSeenAt: AT,
    reason: null,
    version: 'v250',
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
    attempt: null,
    nextAttemptAt: null,
    features: ['activity', 'inflight-rows', 'performance', 'profiles', 'hardware'],
    clockOffsetMs: 12,
  };
}

/** A third of the models say what they can do; most configs name only some of theirs. */
function exampleModel(hostId: string, modelId: string, state: string): Model {
  const isDescribed = Number(modelId.at(-1)) % 3 === 0;
  return {
    hostId,
    modelId,
    name: isDescribed ? 'Qwen3 Coder 30B A3B' : '',
    description: '',
    state,
    since: AT,
    observedAt: AT,
    aliases: [],
    peerId: null,
    unlisted: false,
    contextLength: isDescribed ? 65_536 : null,
    capabilities: isDescribed ? ['function_calling'] : [],
    failedStart: null,
  };
}
