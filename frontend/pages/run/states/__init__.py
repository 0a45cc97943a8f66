"""States of the run page without a front, and the parts that follow a live run."""
