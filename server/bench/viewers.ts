import { z } from 'zod';
import { startChild } from './child.ts';
import type { Scratch } from './scratch.ts';

/** Which clients to connect: `decoders` of them apply every update to a document, the others note when frames come. */
export const connectRequest = z.object({
  type: z.literal('connect'),
  url: z.string(),
  key: z.string(),
  /** Document name; `raw` for the JSON broadcast. */
  document: z.string(),
  clients: z.number(),
  decoders: z.number(),
});

/** Cold clients that all come at once. */
export const herdRequest = z.object({
  type: z.literal('herd'),
  url: z.string(),
  key: z.string(),
  documents: z.array(z.string()),
  segments: z.array(z.string()),
  clients: z.number(),
});

/** What viewers saw since the mark; latencies from the time in a row to the arrival of its frame. */
export const viewersReport = z.object({
  rows: z.number(),
  frames: z.number(),
  bytesPerClient: z.number(),
  /** Clients that got fewer or more frames than the first. */
  incomplete: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
/** See {@link viewersReport}. */
export type ViewersReport = z.infer<typeof viewersReport>;

/** How a herd fared. */
export const herdReport = z.object({ p50: z.number(), last: z.number(), bytes: z.number() });

/** A process full of clients. */
export interface Viewers {
  connect(request: Omit<z.infer<typeof connectRequest>, 'type'>): Promise<void>;
  /** Opens sockets on a document and reads nothing from them. */
  connectPaused(request: {
    readonly url: string;
    readonly key: string;
    readonly document: string;
    readonly clients: number;
  }): Promise<void>;
  /** Waits until no frame has come for a moment. */
  settle(): Promise<void>;
  mark(): Promise<void>;
  report(): Promise<ViewersReport>;
  herd(request: Omit<z.infer<typeof herdRequest>, 'type'>): Promise<z.infer<typeof herdReport>>;
  stop(): Promise<void>;
}

/** Starts a process for clients. */
export async function startViewers(scratch: Scratch): Promise<Viewers> {
  const child = await startChild(scratch, new URL('./viewers-child.ts', import.meta.url));
  return {
    connect: async (request) => void (await child.ask({ ...request, type: 'connect' }, z.unknown())),
    connectPaused: async (request) => void (await child.ask({ ...request, type: 'pause' }, z.unknown())),
    settle: async () => void (await child.ask({ type: 'settle' }, z.unknown())),
    mark: async () => void (await child.ask({ type: 'mark' }, z.unknown())),
    report: () => child.ask({ type: 'report' }, viewersReport),
    herd: (request) => child.ask({ ...request, type: 'herd' }, herdReport),
    stop: () => child.stop(),
  };
}
