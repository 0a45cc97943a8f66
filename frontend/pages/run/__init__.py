"""The page of a run: its frame, its head, and how it reads a run."""
