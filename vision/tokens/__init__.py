"""What tokens look like, and what lies on a spot."""
