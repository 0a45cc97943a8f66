"""The parts of a run beside the solver: heuristics, reports, and reasons why limits cannot be met."""
