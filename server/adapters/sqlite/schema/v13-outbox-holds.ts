/** Hostile frames of an outbox's owner in a row: how long the next connection is held back outlives a restart. */
export const V13_OUTBOX_HOLDS = `
ALTER TABLE outbox ADD COLUMN quarantines INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN quarantined_at INTEGER NOT NULL DEFAULT 0;
`;
