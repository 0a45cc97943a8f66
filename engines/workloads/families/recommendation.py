"""DLRM: two stacks of linear layers and tables of which single rows are read and summed.

Source: goyal-2023 Table 5.1 (RM1 to RM5); widths of embeddings and inputs of RM1 to RM3 from harvard-acc/DeepRecSys at 1383176,
`models/configs/dlrm_rm*.json`. The first number of a bottom stack is the width of the dense input; the top stack reads the
bottom's output and the sum of the rows of every table, side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.workloads.families.network_builder import Drawing, Row


@dataclass(frozen=True)
class RecommendationModel:
    """A model of Table 5.1.

    Attributes:
        bottom: widths of the bottom stack from its input on; empty: there is none.
        top: widths of the top stack without its input.
        lookups: rows that one sample reads of each table.
        entries: rows of a table.
        features: features of a row.
    """

    bottom: Sequence[int]
    top: Sequence[int]
    lookups: Sequence[int]
    entries: int
    features: int


def dlrm(model: RecommendationModel) -> list[Row]:
    """Return the rows of DLRM for one user and one candidate."""
    drawing = Drawing((model.bottom[0], 1, 1) if model.bottom else (0, 1, 1))
    for index, width in enumerate(model.bottom[1:], start=1):
        drawing.linear(f"bottom.{index}", width, act=True)
    dense, joined = drawing.channels, [drawing.last]
    for index, lookups in enumerate(model.lookups, start=1):
        read, weights = lookups * model.features, model.entries * model.features
        drawing.reading()
        drawing.moved(f"table{index}", "embedding", read=lookups, written=read, weights=weights)
        if lookups > 1:
            drawing.moved(f"table{index}.sum", "reduce", read=read, written=model.features)
        joined.append(drawing.last)
    drawing.shape = (dense + len(model.lookups) * model.features, 1, 1)
    drawing.reading(*joined)
    drawing.moved("join", "concat")
    for index, width in enumerate(model.top, start=1):
        drawing.linear(f"top.{index}", width, act=True)
    return drawing.rows
