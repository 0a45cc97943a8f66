"""Networks with early exits: the share of inputs that leave at each end, and the mean cost."""
