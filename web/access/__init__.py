"""Who may ask, what a request may say, and how the pages refuse."""
