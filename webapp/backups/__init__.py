"""Backup and restore of a whole site: one file with a consistent snapshot of the database, which stores all data."""
