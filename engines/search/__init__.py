"""The common parts of search methods."""
