"""Figures of Pareto fronts."""
