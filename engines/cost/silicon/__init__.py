"""Cost of silicon: yield, volume, sensitivity."""
