"""What a schedule costs: latency and energy, traffic and waiting, buffers, the time line."""
