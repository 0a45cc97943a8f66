"""Retention: what nobody needs any more goes away by itself, by rules that a dry run shows."""
