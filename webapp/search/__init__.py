"""Search over what belongs to projects: one index of words, full text of the database behind one function."""
