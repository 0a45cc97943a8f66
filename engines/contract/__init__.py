"""The contract of an engine: what it declares, receives and yields, for the code that runs, stores and shows its results."""
