"""Limits of one run, one person and one project on the site: set by administrators, checked before anything starts."""
