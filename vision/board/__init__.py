"""Where the board lies in a picture: cameras, lenses, markers, the flat raster."""
