"""Chains of segments on kinds of units: a problem apart from packages, and its exact search."""
