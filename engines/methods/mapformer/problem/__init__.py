"""A problem made ready, its mappings and what bounds them."""
