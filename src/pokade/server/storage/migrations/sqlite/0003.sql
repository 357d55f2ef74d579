-- A folded table, so that a long log is not folded from its beginning. A cache: it follows from the log.
CREATE TABLE snapshots (
  table_id TEXT NOT NULL PRIMARY KEY,
  version  INTEGER NOT NULL,  -- of the last event that is in it
  maker    TEXT NOT NULL,     -- the program that made it; another one ignores it
  body     BLOB NOT NULL
);

-- What stays of a finished game when its log goes: its record with the proof, and what a list or a link shows of it.
CREATE TABLE records (
  table_id TEXT NOT NULL PRIMARY KEY,
  text     TEXT NOT NULL,
  facts    TEXT NOT NULL  -- JSON
);
ALTER TABLE tables ADD COLUMN logged INTEGER NOT NULL DEFAULT 1;  -- 0: only the record is left
CREATE INDEX tables_over ON tables (logged, updated_at) WHERE status = 'over';
