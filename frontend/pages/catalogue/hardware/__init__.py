"""The page of a hardware document."""
