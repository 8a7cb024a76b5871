"""The simulated table and its camera, with every trouble."""
