"""How results look: a module per type of result, and the registry that all pages ask."""
