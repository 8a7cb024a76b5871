"""From pictures to actions: which sequence of actions explains the spots that changed."""
