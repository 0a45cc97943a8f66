"""Hub-based chiplet packages: connections of chiplets, costs, and the performance of applications."""
