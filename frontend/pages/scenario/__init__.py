"""The page on which scenarios are built."""
