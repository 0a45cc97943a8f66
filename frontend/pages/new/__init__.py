"""A new exploration."""
