"""Designs of a run measured on machines, beside what was predicted."""
