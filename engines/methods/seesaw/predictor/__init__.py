"""What is sampled, the predictor, and the predictor at work."""
