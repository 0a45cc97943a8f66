"""Published networks: their accuracies, for architectures near them, and their lookup tables."""
