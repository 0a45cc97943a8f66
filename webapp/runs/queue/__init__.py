"""The queue: runs that wait, workers that claim them, and the order of claims."""
