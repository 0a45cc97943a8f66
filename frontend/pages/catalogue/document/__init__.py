"""The common parts of the pages of all documents."""
