"""Profiles of runtimes as measured operators of networks."""
