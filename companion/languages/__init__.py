"""What the sentences are called in other languages: one catalog each, read by Babel."""
