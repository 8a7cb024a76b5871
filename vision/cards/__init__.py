"""Cards: found, told apart, read from a table."""
