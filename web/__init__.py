"""The pages on the phones. Talks to the table only."""
