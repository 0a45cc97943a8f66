"""Runs: started by people, claimed by workers, kept by a keeper, computed in a child process, read by pages."""
