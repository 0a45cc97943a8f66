"""Chiplet packages: their documents, data classes and built-in entries."""
