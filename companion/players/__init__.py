"""Players that are machines: they choose an action within a budget, and say what they expect."""
