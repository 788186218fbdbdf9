/** Which sources were matched to a request in flight; until now every one was the host's own word. */
export const V11_MATCHED_SOURCES = `
ALTER TABLE activity ADD COLUMN source_matched INTEGER NOT NULL DEFAULT 0;
`;
