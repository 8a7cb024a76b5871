-- What lets the club's host in: the digest of his key.
CREATE TABLE host (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    digest text NOT NULL
);
-- A league, a Swiss or a round-robin event.
CREATE TABLE tournament (
    tournament bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    name text NOT NULL,
    game text NOT NULL,
    begun double precision NOT NULL,
    over double precision
);
CREATE TABLE entrant (
    tournament bigint NOT NULL REFERENCES tournament ON DELETE CASCADE,
    number integer NOT NULL,
    name text NOT NULL,
    gone boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tournament, number)
);
CREATE TABLE pairing (
    tournament bigint NOT NULL REFERENCES tournament ON DELETE CASCADE,
    round integer NOT NULL,
    board integer NOT NULL,
    first integer NOT NULL,
    second integer,
    result text NOT NULL DEFAULT '',
    paired double precision NOT NULL,
    PRIMARY KEY (tournament, round, board)
);
