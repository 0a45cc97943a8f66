"""Studies: one engine over a grid of inputs, parameters and seeds."""
