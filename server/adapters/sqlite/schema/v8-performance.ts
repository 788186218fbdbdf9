/**
 * Samples of machines and cards, by the host's own clock. Numbers are whole: percent and watts in tenths, load in
 * hundredths. `perf_chunk` is an hour of a host: when something last came for it, by the collector's clock, and whether
 * its rollup is behind. `perf_rollup` holds five minutes a row, `gpu_no` 0 for the machine; its values are a JSON array.
 */
export const V8_PERFORMANCE = `
CREATE TABLE perf_gpu (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  host_no INTEGER NOT NULL REFERENCES host_ref (no),
  key TEXT NOT NULL,
  gpu_id INTEGER,
  name TEXT NOT NULL,
  uuid TEXT,
  UNIQUE (host_no, key)
) STRICT;

CREATE TABLE perf_system_sample (
  host_no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  cpu_pct10 INTEGER,
  mem_used_mb INTEGER,
  mem_total_mb INTEGER,
  swap_used_mb INTEGER,
  swap_total_mb INTEGER,
  load100 INTEGER,
  net_in INTEGER,
  net_out INTEGER,
  PRIMARY KEY (host_no, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE perf_gpu_sample (
  gpu_no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  util_pct10 INTEGER,
  mem_used_mb INTEGER,
  mem_total_mb INTEGER,
  temp_c INTEGER,
  mem_temp_c INTEGER,
  fan_pct10 INTEGER,
  power_w10 INTEGER,
  PRIMARY KEY (gpu_no, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE perf_chunk (
  host_no INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  behind INTEGER NOT NULL,
  PRIMARY KEY (host_no, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX perf_chunk_received ON perf_chunk (received_at);

CREATE TABLE perf_cursor (
  host_no INTEGER PRIMARY KEY,
  newest_at INTEGER NOT NULL,
  counters TEXT
) STRICT;

CREATE TABLE perf_rollup (
  seq INTEGER PRIMARY KEY,
  host_no INTEGER NOT NULL,
  gpu_no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  readings TEXT NOT NULL,
  UNIQUE (host_no, gpu_no, at)
) STRICT;
`;
