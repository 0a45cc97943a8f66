"""Exact search over all windows together."""
