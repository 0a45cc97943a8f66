"""Designs of a run measured on machines, next to what was predicted."""
