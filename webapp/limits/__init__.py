"""Limits per run, user and project of the site: set by administrators, checked before a run starts or data is stored."""
