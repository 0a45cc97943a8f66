"""Calibrations of systems on a chip."""
