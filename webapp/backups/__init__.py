"""Backup and restore of a whole site: one file that holds one moment of the database, which holds everything."""
