"""Systems of IP blocks as chiplets: their documents, data classes and built-in entries."""
