"""Edit: pieces of a design are moved by hand, and it is evaluated again."""
