/** When a pause ends by itself, beside the pause: until now a setting of its own, which outlived the pause it was of. */
export const V9_PAUSED_UNTIL = `
ALTER TABLE host ADD COLUMN paused_until INTEGER;
UPDATE host SET paused_until =
  (SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'host.' || host_id || '.paused-until')
  WHERE paused = 1;
DELETE FROM setting WHERE name LIKE 'host.%.paused-until';
`;
