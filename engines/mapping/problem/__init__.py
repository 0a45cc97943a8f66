"""Mapping problems: blocks, rules, clock settings, and the costs of all of it."""
