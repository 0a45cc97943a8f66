"""Cards with figures, and small pictures in tables."""
