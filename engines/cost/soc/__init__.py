"""The cost model of operators on the compute units of a system on a chip, at any clock frequencies."""
