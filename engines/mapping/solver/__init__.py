"""Blocks to units by costs alone: the exact front, its bounds, and genetic searches."""
