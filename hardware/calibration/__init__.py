"""Calibrations of systems on a chip: their documents, what is in them, and the measurements behind the built-in ones."""
