"""Exits that are really trained: a backbone, frozen, all its exits at once, and who is right at which end."""
