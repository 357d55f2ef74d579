-- What a list of tables shows of each: names, free seats, the clock, as JSON.
ALTER TABLE tables ADD COLUMN shown text NOT NULL DEFAULT '{}';

-- Further tokens of a person: each device has its own.
CREATE TABLE devices (
  token_hash bytea NOT NULL PRIMARY KEY,
  person     text NOT NULL
);

-- Who looks at which table through which process; rows of a process that has died run out.
CREATE TABLE present (
  table_id text NOT NULL,
  person   text NOT NULL,
  process  text NOT NULL,
  until    double precision NOT NULL,
  PRIMARY KEY (table_id, person, process)
);
CREATE INDEX present_through ON present (process);
