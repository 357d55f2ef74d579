-- What a list of tables shows of each: names, free seats, the clock, as JSON.
ALTER TABLE tables ADD COLUMN shown TEXT NOT NULL DEFAULT '{}';

-- Further tokens of a person: each device has its own.
CREATE TABLE devices (
  token_hash BLOB NOT NULL PRIMARY KEY,
  person     TEXT NOT NULL
) WITHOUT ROWID;

-- Who looks at which table through which process; rows of a process that has died run out.
CREATE TABLE present (
  table_id TEXT NOT NULL,
  person   TEXT NOT NULL,
  process  TEXT NOT NULL,
  until    REAL NOT NULL,
  PRIMARY KEY (table_id, person, process)
) WITHOUT ROWID;
CREATE INDEX present_through ON present (process);
