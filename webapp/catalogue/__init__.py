"""The catalogue: versioned documents that describe hardware, workloads and other inputs of engines."""
