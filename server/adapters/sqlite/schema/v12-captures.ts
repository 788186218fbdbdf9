/** Captures that were opened: `value` is their JSON, `bytes` its size, `opened_at` decides which one is given up first. */
export const V12_CAPTURES = `
CREATE TABLE capture (
  host_no INTEGER NOT NULL REFERENCES host_ref (no),
  id_epoch INTEGER NOT NULL,
  id INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (host_no, id_epoch, id)
) STRICT;
CREATE INDEX capture_opened ON capture (opened_at, bytes);
`;
