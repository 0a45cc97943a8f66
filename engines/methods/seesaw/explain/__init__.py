"""The results of one design."""
