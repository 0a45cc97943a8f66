"""Published values computed again."""
