"""What can be shown of one design and of a run."""
