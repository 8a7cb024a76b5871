-- A table's line of events: up to which place an epoch of its journal is stored.
CREATE TABLE stream (
    table_id text NOT NULL,
    epoch text NOT NULL,
    seq bigint NOT NULL DEFAULT 0,
    digest text NOT NULL DEFAULT '',
    begun timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_id, epoch)
);
-- Text stays text, as the journal has it: a journal is written down again byte for byte.
CREATE TABLE game (
    table_id text NOT NULL,
    epoch text NOT NULL,
    game bigint NOT NULL,
    first bigint NOT NULL,
    name text NOT NULL,
    seats text NOT NULL,
    options text NOT NULL,
    position text,
    to_move text,
    version text NOT NULL,
    PRIMARY KEY (table_id, epoch, game),
    FOREIGN KEY (table_id, epoch) REFERENCES stream ON DELETE CASCADE
);
CREATE TABLE event (
    table_id text NOT NULL,
    epoch text NOT NULL,
    seq bigint NOT NULL,
    game bigint NOT NULL,
    at double precision NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    action text,
    ruling text,
    data text NOT NULL,
    PRIMARY KEY (table_id, epoch, seq),
    FOREIGN KEY (table_id, epoch) REFERENCES stream ON DELETE CASCADE
);
CREATE INDEX event_of_game ON event (table_id, epoch, game, seq);
-- How a table last said that it is.
CREATE TABLE presence (
    table_id text PRIMARY KEY,
    state text NOT NULL,
    since double precision NOT NULL,
    name text NOT NULL DEFAULT '',
    game text NOT NULL DEFAULT ''
);
