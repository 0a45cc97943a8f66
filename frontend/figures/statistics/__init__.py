"""Figures of several runs, seeds and published values."""
