"""A new run."""
