import type { Model, ModelEvent } from '#shared/schemas/model.ts';
import type { HostStatus } from '../domain/ports.ts';

/** A plausible model; what a test is about goes into `changes`. */
export function modelRow(changes: Partial<Model> = {}): Model {
  return {
    hostId: 'box',
    modelId: 'qwen3-30b',
    name: 'Qwen 3 30B',
    description: '',
    state: 'ready',
    since: Date.UTC(2026, 10, 30, 11),
    observedAt: Date.UTC(2026, 10, 30, 12),
    aliases: [],
    peerId: null,
    unlisted: false,
    contextLength: 32768,
    capabilities: [],
    failedStart: null,
    ...changes,
  };
}

/** A plausible transition; what a test is about goes into `changes`. */
export function modelEventRow(changes: Partial<ModelEvent> = {}): ModelEvent {
  return {
    type: 'model-event',
    hostId: 'box',
    modelId: 'qwen3-30b',
    at: Date.UTC(2026, 10, 30, 12),
    from: 'starting',
    to: 'ready',
    reason: null,
    ...changes,
  };
}

/** A connected host's status; what a test is about goes into `changes`. */
export function statusRow(changes: Partial<HostStatus> = {}): HostStatus {
  return {
    liveness: 'connected',
    since: Date.UTC(2026, 10, 30, 11),
    lastSeenAt: Date.UTC(2026, 10, 30, 12),
    reason: null,
    version: 'v250',
    attempt: null,
    nextAttemptAt: null,
    features: ['activity'],
    clockOffsetMs: 0,
    ...changes,
  };
}
