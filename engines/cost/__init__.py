"""Cost models: latency, energy, area and money, one mechanism per module."""
