"""Documents and parameters: which ones an engine takes, the built-in ones, and the problem made of them."""
