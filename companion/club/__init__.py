"""Many tables: what a table publishes of its journal, and the club's service that stores it."""
