"""The contract between engines and everything that runs, stores and shows them."""
