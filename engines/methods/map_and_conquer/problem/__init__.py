"""A problem made ready: network, device, costs, limits."""
