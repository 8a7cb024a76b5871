"""Eyes for tokens with faces and for men without."""
