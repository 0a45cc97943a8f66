"""The results of one mapping."""
