"""Figures of schedules."""
