-- A folded table, so that a long log is not folded from its beginning. A cache: it follows from the log.
CREATE TABLE snapshots (
  table_id text NOT NULL PRIMARY KEY,
  version  bigint NOT NULL,  -- of the last event that is in it
  maker    text NOT NULL,    -- the program that made it; another one ignores it
  body     bytea NOT NULL
);

-- What stays of a finished game when its log goes: its record with the proof, and what a list or a link shows of it.
CREATE TABLE records (
  table_id text NOT NULL PRIMARY KEY,
  text     text NOT NULL,
  facts    text NOT NULL  -- JSON
);
ALTER TABLE tables ADD COLUMN logged boolean NOT NULL DEFAULT true;  -- false: only the record is left
CREATE INDEX tables_over ON tables (logged, updated_at) WHERE status = 'over';
