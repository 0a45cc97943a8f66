"""The scheduling problem: tables of costs, constraints, objectives, and the schedule itself."""
