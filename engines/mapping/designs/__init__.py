"""Mappings as designs: decisions, clocks of the governors, and columns."""
