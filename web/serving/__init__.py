"""Connections: how many there may be, how long each may take, whose request is answered next."""
