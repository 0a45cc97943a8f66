"""Comparisons of runs: which runs, under which question, and what tells them apart."""
