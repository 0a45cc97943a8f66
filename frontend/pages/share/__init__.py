"""Sharing a run, a study or a comparison: people with access, and read-only links."""
