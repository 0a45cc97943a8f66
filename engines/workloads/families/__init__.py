"""Families of published networks, each drawn from its definition: no tables and no framework."""
