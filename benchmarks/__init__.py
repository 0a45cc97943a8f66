"""Measurements with their limits: `make bench`."""
