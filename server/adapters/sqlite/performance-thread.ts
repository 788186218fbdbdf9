import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { PerformanceAnswer } from '#shared/schemas/performance.ts';
import { serveThread } from '../thread/thread-serve.ts';
import { Connection } from './connection.ts';
import { answerPerformance, packDay, type PerformanceDay } from './performance-read.ts';

const { path } = z.object({ path: z.string() }).parse(workerData);
const connection = new Connection(path, { readonly: true });
const request = z.discriminatedUnion('want', [
  z.object({
    want: z.literal('answer'),
    read: z.object({
      hostId: z.string(),
      from: z.number(),
      to: z.number(),
      stepMs: z.number(),
      source: z.enum(['samples', 'rollups']),
    }),
  }),
  z.object({ want: z.literal('day'), hostId: z.string(), day: z.number() }),
]);

serveThread((input): PerformanceAnswer | PerformanceDay | null => {
  const wanted = request.parse(input);
  return wanted.want === 'answer'
    ? answerPerformance(connection, wanted.read)
    : packDay(connection, wanted.hostId, wanted.day);
});
