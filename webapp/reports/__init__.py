"""Reports: versioned pages of text with results of runs, which record the runs that they use."""
