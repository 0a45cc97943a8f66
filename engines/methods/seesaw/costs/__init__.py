"""Power of a node, and flash and time of a predictor."""
