"""From pictures to actions: sequences that explain what changed."""
