"""Projects, who belongs to them, and the one function that decides what a person may see."""
