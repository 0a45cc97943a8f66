"""The tabs of the run page next to the overview."""
