-- A table is its log. (table_id, version) is unique: that is the only lock.
-- Events lie in the order they came, with a narrow index beside them: fewer pages to write in a commit.
CREATE TABLE events (
  table_id   TEXT NOT NULL,
  version    INTEGER NOT NULL CHECK (version > 0),
  event      BLOB NOT NULL,
  written_at REAL NOT NULL,
  PRIMARY KEY (table_id, version)
);

-- What can be searched of a table; all of it follows from the log.
CREATE TABLE tables (
  id         TEXT NOT NULL PRIMARY KEY,
  code       TEXT NOT NULL CONSTRAINT one_table_a_code UNIQUE,
  game       TEXT NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('open', 'on', 'over')),
  listed     INTEGER NOT NULL,
  deadline   REAL,
  updated_at REAL NOT NULL,
  seats      TEXT NOT NULL  -- a JSON list of people
) WITHOUT ROWID;
CREATE INDEX tables_due ON tables (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX tables_idle ON tables (updated_at) WHERE status <> 'over';
CREATE INDEX tables_listed ON tables (updated_at) WHERE listed AND status <> 'over';

-- Who sits where, kept in step with tables.seats by the triggers, and only touched when people change.
CREATE TABLE seated (
  person   TEXT NOT NULL,
  table_id TEXT NOT NULL,
  PRIMARY KEY (person, table_id)
) WITHOUT ROWID;
CREATE INDEX seated_at ON seated (table_id);
CREATE TRIGGER seats_taken AFTER INSERT ON tables BEGIN
  INSERT OR IGNORE INTO seated SELECT value, new.id FROM json_each(new.seats);
END;
CREATE TRIGGER seats_changed AFTER UPDATE OF seats ON tables WHEN new.seats <> old.seats BEGIN
  DELETE FROM seated WHERE table_id = new.id;
  INSERT OR IGNORE INTO seated SELECT value, new.id FROM json_each(new.seats);
END;

CREATE TABLE people (
  id         TEXT NOT NULL PRIMARY KEY,
  token_hash BLOB NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  language   TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE tickets (
  hash    BLOB NOT NULL PRIMARY KEY,
  body    BLOB NOT NULL,
  expires REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX tickets_expire ON tickets (expires);
