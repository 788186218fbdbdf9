/**
 * Registry, history, documents and segments.
 *
 * `facet` holds each combination of what activity rows can be filtered by, once: a filter is answered by choosing
 * facets, and a row points to one. `host_ref` outlives its host, as its rows do. `activity` and `gap` share one
 * sequence, `model_event` has its own; `seq_range` says where each row is: place 0 the tail, −1 waiting to be sealed,
 * −2 to be deleted, −3 in no segment any more, else the segment's id.
 */
export const V1_TRUTH = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE host (
  host_id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  label TEXT NOT NULL,
  url TEXT NOT NULL,
  paused INTEGER NOT NULL,
  managed_by_file INTEGER NOT NULL,
  demo INTEGER NOT NULL,
  key_source TEXT,
  status TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE host_ref (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  host_id TEXT NOT NULL UNIQUE,
  first_epoch INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE model (
  host_id TEXT NOT NULL REFERENCES host (host_id) ON DELETE CASCADE,
  model_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (host_id, model_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE facet (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  digest BLOB NOT NULL UNIQUE,
  host_no INTEGER NOT NULL REFERENCES host_ref (no),
  model_id TEXT NOT NULL,
  path TEXT,
  source TEXT,
  error TEXT,
  status INTEGER,
  first_ended_at INTEGER NOT NULL,
  last_ended_at INTEGER NOT NULL
) STRICT;

CREATE TABLE activity (
  seq INTEGER PRIMARY KEY,
  host_no INTEGER NOT NULL,
  id_epoch INTEGER NOT NULL,
  id INTEGER NOT NULL,
  facet_id INTEGER NOT NULL REFERENCES facet (id),
  ended_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_tokens INTEGER,
  prompt_per_second REAL,
  tokens_per_second REAL,
  duration_ms INTEGER,
  has_capture INTEGER NOT NULL,
  UNIQUE (host_no, id_epoch, id)
) STRICT;
CREATE INDEX activity_ended ON activity (ended_at, seq, facet_id);
CREATE INDEX activity_facet ON activity (facet_id, ended_at);

CREATE TABLE gap (
  seq INTEGER PRIMARY KEY,
  host_no INTEGER NOT NULL REFERENCES host_ref (no),
  id_epoch INTEGER NOT NULL,
  from_id INTEGER,
  to_id INTEGER,
  from_at INTEGER,
  to_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX gap_ended ON gap (to_at);
CREATE UNIQUE INDEX gap_once ON gap (host_no, id_epoch, ifnull(from_id, -1), ifnull(to_id, -1), to_at);

CREATE TABLE model_event (
  seq INTEGER PRIMARY KEY,
  host_no INTEGER NOT NULL REFERENCES host_ref (no),
  model_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  reason TEXT,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX model_event_model ON model_event (host_no, model_id, at);

CREATE TABLE seq_range (
  kind TEXT NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (kind, from_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX seq_range_place ON seq_range (place, kind, from_seq);

CREATE TABLE blob (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

CREATE TABLE segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  hash TEXT NOT NULL REFERENCES blob (hash),
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  first_hour INTEGER NOT NULL,
  last_hour INTEGER NOT NULL,
  stale INTEGER NOT NULL DEFAULT 0,
  retired_at INTEGER
) STRICT;
CREATE UNIQUE INDEX segment_key ON segment (kind, key) WHERE retired_at IS NULL;
CREATE INDEX segment_hash ON segment (hash);

CREATE TABLE document (
  kind TEXT PRIMARY KEY,
  generation INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  state BLOB
) STRICT;
CREATE TABLE doc_update (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL REFERENCES document (kind),
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX doc_update_kind ON doc_update (kind, id);
`;
