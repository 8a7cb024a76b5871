"""How the light on the table changed between two pictures: smoothly, in bands, in patches."""
