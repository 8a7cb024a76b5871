-- Photographs that a table's host lets the club have; they go with their events.
CREATE TABLE photograph (
    table_id text NOT NULL,
    epoch text NOT NULL,
    seq bigint NOT NULL,
    moment text NOT NULL,
    jpeg bytea NOT NULL,
    came timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_id, epoch, seq, moment),
    FOREIGN KEY (table_id, epoch, seq) REFERENCES event ON DELETE CASCADE
);
CREATE INDEX photograph_came ON photograph (came);
