"""The catalogue: its list and the pages of its documents."""
