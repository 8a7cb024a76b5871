"""The machine a table runs on: its check-up, its service, its settings, its backups."""
