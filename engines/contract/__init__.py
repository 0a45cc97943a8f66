"""What engines and everything that runs, stores and shows them agree on."""
