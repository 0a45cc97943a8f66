"""Costs of making silicon: documents of wafers, masks, defects, design and assembly, with the built-in ones."""
