/** Intents and every step of their lives, cancels (also of intents that never came), and leases of hosts. */
export const V5_INTENTS = `
CREATE TABLE intent (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  host_id TEXT,
  state TEXT NOT NULL,
  code TEXT,
  reason TEXT,
  evidence TEXT,
  author_kind TEXT NOT NULL,
  author_id TEXT NOT NULL,
  author_label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  request TEXT,
  shown TEXT NOT NULL
) STRICT;
CREATE INDEX intent_open ON intent (seq) WHERE ended_at IS NULL;
CREATE INDEX intent_ended ON intent (ended_at, seq) WHERE ended_at IS NOT NULL;
CREATE INDEX intent_host ON intent (host_id, ended_at);

CREATE TABLE intent_transition (
  intent_seq INTEGER NOT NULL REFERENCES intent (seq),
  step INTEGER NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  PRIMARY KEY (intent_seq, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE intent_cancel (
  intent_id TEXT PRIMARY KEY,
  identity_id TEXT NOT NULL,
  label TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE lease (
  host_id TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  holder TEXT,
  purpose TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
`;
