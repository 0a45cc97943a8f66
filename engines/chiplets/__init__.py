"""Schedules of scenarios on chiplet packages: the problem, its costs, and searches of windows and of whole schedules."""
