"""The page of an environment or a recording."""
