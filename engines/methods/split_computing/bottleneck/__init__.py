"""Bottlenecks that are really trained, by distillation and a blockwise search (odema-2024 section 5.3)."""
