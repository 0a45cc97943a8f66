"""Execution of an engine: driver, context, files, limits, and the process of a run."""
