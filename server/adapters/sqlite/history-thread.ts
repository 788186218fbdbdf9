import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { activityQuery, activitySummaryQuery } from '#shared/schemas/activity.ts';
import { Connection } from './connection.ts';
import { FacetIndex } from './facet-index.ts';
import { deadlineIn, searchActivity } from './history-search.ts';
import { summarizeActivity } from './history-summary.ts';
import { serveThread } from '../thread/thread-serve.ts';

const { path, deadlineMs } = z.object({ path: z.string(), deadlineMs: z.number() }).parse(workerData);
const connection = new Connection(path, { readonly: true });
const facets = new FacetIndex(connection);
const question = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('page'), query: activityQuery }),
  z.object({ ask: z.literal('summary'), query: activitySummaryQuery }),
]);

serveThread((input) => {
  const asked = question.parse(input);
  const search = { connection, facets, checkDeadline: deadlineIn(deadlineMs) };
  return asked.ask === 'page' ? searchActivity(asked.query, search) : summarizeActivity(asked.query, search);
});
