"""Cost models of latency, energy, area and money, one mechanism per module."""
