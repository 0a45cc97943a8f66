"""The prepared problem, its mappings and their bounds."""
