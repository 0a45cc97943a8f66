"""Pareto dominance between designs."""
