"""Systems on a chip: their documents, what is in them, and those that ship with the product."""
