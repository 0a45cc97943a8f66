"""Projects, their members, and the one function that decides what a user may see."""
