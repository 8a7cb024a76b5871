-- A table may go back to an earlier journal: its latest epoch is the one it told of last.
ALTER TABLE stream ADD COLUMN told timestamptz NOT NULL DEFAULT now();
UPDATE stream SET told = begun;
-- How often something was taken out of what is stored: copies of it are made anew then.
ALTER TABLE stream ADD COLUMN rewritten integer NOT NULL DEFAULT 0;
