"""Language models on one board: compute unit, clock frequencies and bits of each stage, with the exact front."""
