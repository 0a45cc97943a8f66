"""Progress of a run: what its driver passes in, and the steps that it returns."""
