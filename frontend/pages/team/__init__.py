"""The page of projects and their members."""
