"""Runs, studies, comparisons and documents from one project to another, as they are or as a copy."""
