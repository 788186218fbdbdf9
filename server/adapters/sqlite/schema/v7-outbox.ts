/** Outboxes: one document an owner, opaque. `outbox_start` is where outboxes begin that are not here yet. */
export const V7_OUTBOX = `
CREATE TABLE outbox (
  owner_id TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  floor INTEGER NOT NULL,
  since INTEGER NOT NULL,
  state BLOB,
  vector BLOB,
  records INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE outbox_start (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO outbox_start (id, epoch) VALUES (1, 1);
`;
