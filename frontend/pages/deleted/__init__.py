"""Deleting things, and what is deleted and can be brought back."""
