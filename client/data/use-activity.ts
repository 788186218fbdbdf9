import { activityFeed } from './activity-feeds.ts';
import { useReadable } from './cell.ts';
import type { ActivityFeed, ActivityFilter } from './types.ts';

/** Activity rows that match `filter`, newest first, live; decoded and filtered off the main thread. */
export function useActivity(filter: ActivityFilter): ActivityFeed {
  return useReadable(activityFeed(filter));
}
