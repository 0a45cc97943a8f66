"""Retention: rules that remove unused data, with a dry run that lists it."""
