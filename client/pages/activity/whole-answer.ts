import type { WholeHistory } from '../../data/use-whole-history.ts';

/** See {@link wholeAnswer}. */
export interface WholeAnswer {
  readonly answeredBy: 'collector' | 'device';
  /** What to say beside the rows; null: nothing. */
  readonly problem: string | null;
}

/**
 * Who answers for the whole history. This device does only while the collector has answered nothing: rows that are being
 * read are not changed for others because the way to it is cut.
 */
export function wholeAnswer({
  askedAt,
  problem,
  countsProblem,
}: Pick<WholeHistory, 'askedAt' | 'problem' | 'countsProblem'>): WholeAnswer {
  const notCounted = countsProblem === null ? null : `The requests could not be counted. ${countsProblem}`;
  if (askedAt === null && problem !== null) return { answeredBy: 'device', problem };
  return { answeredBy: 'collector', problem: problem ?? notCounted };
}
