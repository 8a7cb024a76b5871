"""The tabletop companion: it reads a real table, rules on every move and keeps the score."""
