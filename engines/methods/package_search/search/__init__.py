"""Schedules of packages, and the searches that choose among these."""
