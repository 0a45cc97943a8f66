"""Searches of a whole problem."""
