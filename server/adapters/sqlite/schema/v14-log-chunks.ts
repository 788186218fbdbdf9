/** Log lines of hosts, where somebody asked for them to be kept: JSON of some hundred lines at a time, gzip'd. */
export const V14_LOG_CHUNKS = `
CREATE TABLE log_chunk (
  seq INTEGER PRIMARY KEY,
  host_no INTEGER NOT NULL REFERENCES host_ref (no),
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX log_chunk_host ON log_chunk (host_no, seq);
`;
