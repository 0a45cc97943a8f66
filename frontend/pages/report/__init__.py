"""Reports: pages of text with blocks out of runs."""
