"""What is scheduled and where: tables of costs, constraints, objectives, the schedule itself."""
