"""What changed since the last settled picture: motion, hands, light, bumps."""
