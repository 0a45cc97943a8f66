"""Systems of IP blocks as chiplets: their documents, what is in them, and those that ship with the product."""
