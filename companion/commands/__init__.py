"""The commands behind ``companion``, one module for each family."""
