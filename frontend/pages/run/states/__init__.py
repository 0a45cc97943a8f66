"""What the run page shows while there is no front, and what follows a live run."""
