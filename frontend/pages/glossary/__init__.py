"""The page of terms and metrics."""
