"""Networks with several ends: which inputs leave at which end, and what that costs."""
