"""The results of one design and of a run."""
