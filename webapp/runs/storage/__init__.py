"""Designs, results, checkpoints and files of a run, written under its lease."""
