"""Sampled data, the predictor, and the predictor at run time."""
