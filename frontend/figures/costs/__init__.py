"""Figures of what a metric consists of and depends on."""
