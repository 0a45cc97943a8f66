"""Explanations of a design: the parts of its metrics, and the designs that differ from it by one change."""
