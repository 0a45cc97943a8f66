"""Numbers: exact sums, streams of random numbers, units, formulas."""
