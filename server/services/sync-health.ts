import type { HealthCheck } from '#shared/schemas/info.ts';

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

/** One check: open sockets, and whether a document waits for changes that never came. */
export function syncHealth({
  socketsByRole,
  documents,
  droppedWrites,
  shedFrames,
}: SyncGauges): readonly HealthCheck[] {
  const sockets = Object.values(socketsByRole).reduce((sum, count) => sum + count, 0);
  const stuck = documents.filter((document) => document.pendingStructs).map(({ name }) => name);
  return [
    {
      name: 'sync',
      state: stuck.length > 0 ? 'warn' : 'ok',
      detail:
        stuck.length > 0
          ? `${stuck.join(' and ')} waits for changes that never came.`
          : `${sockets} open sockets; ${droppedWrites} refused writes, ${shedFrames} live frames left out since the start.`,
      remediation:
        stuck.length > 0 ? 'Restart the collector: documents are built again from the database.' : null,
    },
  ];
}
