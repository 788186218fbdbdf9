import type { HostFeatures } from './upstream-event.ts';

/** What a host offers, as words for its status: sorted, and only what is there. */
export function featureWords(features: HostFeatures): string[] {
  const words: [word: string, present: boolean][] = [
    ['activity', features.activity !== 'none'],
    ['activity-pages', features.activity === 'activity'],
    ['activity-range', features.activityRange],
    ['activity-source', features.activitySource],
    ['hardware', features.hardware],
    ['in-flight', features.inFlightTrusted],
    ['log-stream', features.logStream],
    ['model-logs', features.modelLogs],
    ['performance', features.performance],
    ['profiles', features.profiles],
    ['wol-health', features.wolHealth],
    ['wol-proxy', features.wolProxy],
  ];
  return words.filter(([, present]) => present).map(([word]) => word);
}
