"""Environments: their documents, data classes and built-in entries."""
