"""Recordings: what sensors said over time. Documents, files (CSV, GPX), synthetic ones, and what follows from routes."""
