"""Frames from cameras, networks, folders and films."""
