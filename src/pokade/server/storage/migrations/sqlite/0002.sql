-- What a list of tables shows of each: names, free seats, the clock, as JSON.
ALTER TABLE tables ADD COLUMN shown TEXT NOT NULL DEFAULT '{}';

-- Further tokens of a person: each device has its own.
CREATE TABLE devices (
  token_hash BLOB NOT NULL PRIMARY KEY,
  person     TEXT NOT NULL
) WITHOUT ROWID;
