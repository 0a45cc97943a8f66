"""The estimator of karatzas-2024: a transformer that predicts classes of throughput and power of a mapping (section 4)."""
