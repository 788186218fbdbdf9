/**
 * Codes made on a device, and those who wait to be let in by one. Makers and devices are named by id without a foreign
 * key: a maker may be an API key. The applicant's secret is here as a hash only.
 */
export const V4_PAIRING = `
ALTER TABLE pairing_code ADD COLUMN made_by TEXT;

CREATE TABLE pairing_request (
  id TEXT PRIMARY KEY,
  secret_hash TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  role TEXT NOT NULL,
  made_by TEXT NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decision TEXT,
  device_id TEXT
) STRICT;
CREATE INDEX pairing_request_open ON pairing_request (expires_at) WHERE decision IS NULL;
`;
