"""Published results, as last computed again."""
