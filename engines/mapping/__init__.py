"""Mappings of a network's blocks to the units of a system on a chip: the model, and searches of it."""
