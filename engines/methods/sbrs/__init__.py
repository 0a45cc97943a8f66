"""Scenario-based run-time switching (SBRS): one application of several networks that share layers and buffers."""
