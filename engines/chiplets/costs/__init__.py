"""The cost of a schedule: latency and energy, traffic and waiting, buffers, the time line."""
