"""Deleting and bringing back: what is deleted can be had back for some days, then `manage.py purge` removes it for good."""
