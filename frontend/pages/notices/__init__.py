"""Notices for a person."""
