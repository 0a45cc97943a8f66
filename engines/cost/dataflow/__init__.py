"""Costs of layers on PE arrays by closed forms of their dataflow mappings."""
