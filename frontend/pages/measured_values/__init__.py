"""The page that imports measured values."""
