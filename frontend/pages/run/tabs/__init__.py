"""The tabs of the run page beside the overview."""
