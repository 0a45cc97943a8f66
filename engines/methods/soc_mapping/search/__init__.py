"""What a run does beside the solver: heuristics, what is reported, why limits cannot be met."""
