"""Cost models of other tools: each runs in an environment and a process of its own, and its costs are kept by content."""
