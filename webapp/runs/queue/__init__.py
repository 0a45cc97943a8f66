"""Runs that wait, the workers that take them, and whose turn it is."""
