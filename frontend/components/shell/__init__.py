"""The frame of every page: navigation, search, tour."""
