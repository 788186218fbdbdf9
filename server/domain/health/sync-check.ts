import type { DocKind } from '#sync/doc-name.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { sizeWords } from '../size-words.ts';
import { checkOf, counted } from './check.ts';

/** Numbers for health and metrics. */
export interface SyncGauges {
  readonly socketsByRole: Readonly<Record<string, number>>;
  readonly documents: readonly {
    readonly name: string;
    readonly sockets: number;
    /** Size of the whole document as last sent; null when nobody asked for all of it since the last update. */
    readonly bytes: number | null;
    readonly pendingStructs: boolean;
  }[];
  readonly droppedWrites: number;
  readonly bufferedBytes: number;
  readonly shedFrames: number;
  /** Ends since the start, by close code, `client` or `terminated`. */
  readonly ends: Readonly<Record<string, number>>;
}

/** A document and its size. */
export interface DocumentSize {
  readonly kind: DocKind;
  readonly bytes: number;
}

/** Bytes past which a document is too large for a phone to take at once. */
const ALARM_BYTES: Readonly<Record<DocKind, number>> = { fleet: 1024 * 1024, tail: 256 * 1024 };
const SIZE_REMEDIES: Readonly<Record<DocKind, string>> = {
  fleet: 'Remove hosts that are gone, or list fewer models on the hosts with the most.',
  tail: 'This shrinks by itself within a minute; report it when it does not.',
};
const SYNC = checkOf('sync', 'Sync');

/** Open sockets, what was left out, sizes of the documents, and whether one waits for changes that never came. */
export function syncCheck(
  { socketsByRole, documents, droppedWrites, shedFrames }: SyncGauges,
  sizes: readonly DocumentSize[],
): HealthCheck {
  const sockets = Object.values(socketsByRole).reduce((sum, count) => sum + count, 0);
  const detail = [
    counted(sockets, 'socket'),
    counted(shedFrames, 'shed frame'),
    counted(droppedWrites, 'refused write'),
    ...sizes.map(({ kind, bytes }) => `${kind} ${sizeWords(bytes)}`),
  ].join(', ');
  const stuck = documents.filter((document) => document.pendingStructs).map(({ name }) => name);
  if (stuck.length > 0) {
    return SYNC.warn({
      detail: `${stuck.join(' and ')} waits for changes that never came. ${detail}.`,
      remediation: 'Restart the collector: documents are built again from the database.',
    });
  }
  const large = sizes.filter(({ kind, bytes }) => bytes > ALARM_BYTES[kind]);
  if (large.length === 0) return SYNC.ok(`${detail}.`);
  const bounds = large.map(
    ({ kind }) => `The ${kind} document is over its bound of ${sizeWords(ALARM_BYTES[kind])}.`,
  );
  return SYNC.warn({
    detail: `${bounds.join(' ')} ${detail}.`,
    remediation: large.map(({ kind }) => SIZE_REMEDIES[kind]).join(' '),
  });
}
