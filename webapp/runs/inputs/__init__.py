"""Documents, presets and parameters of a run, and the problem and plan that they make."""
