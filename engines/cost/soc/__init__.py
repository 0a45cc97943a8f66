"""Costs of operators on the units of a system on a chip, at any clocks."""
