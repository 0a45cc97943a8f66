"""The process that executes runs, and the supervisor of one run."""
