"""Training of the estimator on simulated mixes, as an engine."""
