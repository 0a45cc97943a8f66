"""Mapping of the blocks or layers of a network to the units of a system on a chip."""
