"""Figures of packages, chiplets and the links between them."""
