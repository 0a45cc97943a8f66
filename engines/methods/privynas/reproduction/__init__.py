"""Published results of private split networks, computed again."""

from __future__ import annotations

from engines.methods.privynas.reproduction import tables, trends
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("privynas",),
    headline="Latency up to layer 8 over that up to layer 12",
    parts=(
        Part("Table A.1: budgets of bounds", tables.budgets, quick=True),
        Part("Figure A.8: an earlier cut", tables.cuts, quick=True),
        Part("Table A.3 and Figure A.8: published values combined", tables.arithmetic, quick=True),
        Part("Trends, on networks trained here", trends.trends),
    ),
)
