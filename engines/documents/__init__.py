"""Documents and parameters: the inputs that an engine takes, the built-in documents, and the problem built from them."""
