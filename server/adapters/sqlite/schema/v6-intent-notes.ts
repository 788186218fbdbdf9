/** What people found out about intents that ended `unknown`; since when and until when at most a host is held. */
export const V6_INTENT_NOTES = `
ALTER TABLE intent ADD COLUMN note TEXT;
ALTER TABLE lease ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lease ADD COLUMN ends_by INTEGER NOT NULL DEFAULT 0;
`;
