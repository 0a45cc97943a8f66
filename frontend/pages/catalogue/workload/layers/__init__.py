"""Which dataflow suits which layer of a workload."""
