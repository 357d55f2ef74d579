-- A table is its log. (table_id, version) is unique: that is the only lock.
-- written_at is the database's clock, one for all processes.
CREATE TABLE events (
  table_id   text NOT NULL,
  version    bigint NOT NULL CHECK (version > 0),
  event      bytea NOT NULL,
  written_at double precision NOT NULL DEFAULT extract(epoch FROM clock_timestamp()),
  PRIMARY KEY (table_id, version)
);
CREATE INDEX events_lately ON events USING brin (written_at);  -- for a listener that was cut off for a while

-- What can be searched of a table; all of it follows from the log.
CREATE TABLE tables (
  id         text NOT NULL PRIMARY KEY,
  code       text NOT NULL CONSTRAINT one_table_a_code UNIQUE,
  game       text NOT NULL,
  status     text NOT NULL CHECK (status IN ('open', 'on', 'over')),
  listed     boolean NOT NULL,
  deadline   double precision,
  updated_at double precision NOT NULL,
  seats      text NOT NULL  -- a JSON list of people
);
CREATE INDEX tables_due ON tables (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX tables_idle ON tables (updated_at) WHERE status <> 'over';
CREATE INDEX tables_listed ON tables (updated_at) WHERE listed AND status <> 'over';

-- Who sits where, kept in step with tables.seats by the triggers, and only touched when people change.
CREATE TABLE seated (
  person   text NOT NULL,
  table_id text NOT NULL,
  PRIMARY KEY (person, table_id)
);
CREATE INDEX seated_at ON seated (table_id);
CREATE FUNCTION seat_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM seated WHERE table_id = NEW.id;
  INSERT INTO seated SELECT DISTINCT person, NEW.id FROM jsonb_array_elements_text(NEW.seats::jsonb) AS person;
  RETURN NULL;
END $$;
CREATE TRIGGER seats_taken AFTER INSERT ON tables FOR EACH ROW EXECUTE FUNCTION seat_people();
CREATE TRIGGER seats_changed AFTER UPDATE OF seats ON tables
  FOR EACH ROW WHEN (NEW.seats <> OLD.seats) EXECUTE FUNCTION seat_people();

CREATE TABLE people (
  id         text NOT NULL PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  name       text NOT NULL,
  language   text NOT NULL
);

CREATE TABLE tickets (
  hash    bytea NOT NULL PRIMARY KEY,
  body    bytea NOT NULL,
  expires double precision NOT NULL
);
CREATE INDEX tickets_expire ON tickets (expires);
