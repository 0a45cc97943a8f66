"""The selected design of a run, and a design of one's own next to it."""
