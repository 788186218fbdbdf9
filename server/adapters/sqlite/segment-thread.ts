import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { BuiltSegment } from '../../domain/store-ports.ts';
import { Connection } from './connection.ts';
import { buildSegments } from './segment-build.ts';
import { serveThread } from '../thread/thread-serve.ts';

const { path } = z.object({ path: z.string() }).parse(workerData);
const connection = new Connection(path, { readonly: true });
const range = z.object({ fromSeq: z.number(), toSeq: z.number(), hour: z.number() });
const request = z.object({ kind: z.enum(['activity', 'model-events', 'perf-5m']), ranges: z.array(range) });

serveThread((input): readonly BuiltSegment[] => buildSegments(connection, request.parse(input)));
