"""The versioned HTTP API for other programs; loaded when the first of them asks."""
