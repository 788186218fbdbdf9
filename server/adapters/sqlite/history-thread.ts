import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { activityQuery } from '#shared/schemas/activity.ts';
import { Connection } from './connection.ts';
import { FacetIndex } from './facet-index.ts';
import { deadlineIn, searchActivity } from './history-search.ts';
import { serveThread } from '../thread/thread-serve.ts';

const { path, deadlineMs } = z.object({ path: z.string(), deadlineMs: z.number() }).parse(workerData);
const connection = new Connection(path, { readonly: true });
const facets = new FacetIndex(connection);

serveThread((input) =>
  searchActivity(activityQuery.parse(input), { connection, facets, checkDeadline: deadlineIn(deadlineMs) }),
);
