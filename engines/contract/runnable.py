"""Parts of a design that devices can run as networks, and how their times add up to a metric of the design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measurable:
    """Declaration that an engine's designs can be measured.

    Attributes:
        column: latency of designs in seconds, next to which what was measured stands.
        words: what is run of a design, and how its pieces add up; a sentence for people.
        figures: columns of designs that `Engine.runnable` is told of them next to their decisions.
    """

    column: str
    words: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunnablePiece:
    """A network that a machine runs, for one sample.

    Attributes:
        title: what it is of the design: "To the exit after stage3.1".
        share: what its latency is multiplied by in the sum; above 0.
        operations: `engines.workloads.network.Operation`s, numbered from 0 on; `engines.workloads.parts` makes them of networks.
        network: slug of the network of the problem that they are taken from, so that they are cut out of its uploaded file where
            there is one; empty: the file is always written of the operations.
    """

    title: str
    share: float
    operations: tuple[Any, ...]
    network: str = ""


@dataclass(frozen=True)
class Runnable:
    """A design as networks: the column's figure is the sum of share x latency over the pieces, and `rest_s`.

    Attributes:
        pieces: at least one.
        rest_s: seconds that no machine measures and that stay as the engine predicts them.
        rest_words: what these are: "the upload, the server's delay and its layers"; empty where there are none.
    """

    pieces: tuple[RunnablePiece, ...]
    rest_s: float = 0.0
    rest_words: str = ""
