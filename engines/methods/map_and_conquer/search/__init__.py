"""Searches: the published evolution, NSGA-II, and layer by layer with bounds."""
