"""The prepared problem: its instance, and user-made mappings."""
