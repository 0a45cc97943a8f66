"""Measured values that people import."""
