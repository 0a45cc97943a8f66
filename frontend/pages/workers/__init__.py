"""The page of the workers, for administrators."""
