"""Which unit of a device suits each operation of a workload."""
