"""A problem made ready: its instance, and mappings of one's own."""
