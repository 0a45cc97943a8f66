"""Read-only links: who makes and ends them, what they open, and who comes by one."""
