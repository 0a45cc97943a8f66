"""Figures of the layers of a network."""
