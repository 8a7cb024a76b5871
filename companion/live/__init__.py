"""The running companion: what is set up for a game, and the loop from the camera to the phones."""
