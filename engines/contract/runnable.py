"""Parts of a design that devices can run as networks, and how their times add up to a metric of the design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measurable:
    """The declaration that devices can measure an engine's designs.

    Attributes:
        column: latency column, in seconds, to which pages compare the measurements.
        words: sentence for users: the parts of a design that devices run, and how their latencies add up.
        figures: columns of a design that `Engine.runnable` receives next to its decision.
    """

    column: str
    words: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunnablePiece:
    """A network that a device runs with batch size 1.

    Attributes:
        title: the part of the design: "To the exit after stage3.1".
        share: factor of its latency in the sum; above 0.
        operations: `engines.workloads.network.Operation`s, numbered from 0 on; see `engines.workloads.parts`.
        network: slug of the problem's network that contains them; if the network was uploaded, its file is cut. "": the file is
            always generated from the operations.
    """

    title: str
    share: float
    operations: tuple[Any, ...]
    network: str = ""


@dataclass(frozen=True)
class Runnable:
    """A design as networks: its latency is the sum of share x latency over the pieces, plus `rest_s`.

    Attributes:
        pieces: one network or more.
        rest_s: seconds that no device measures, as predicted by the engine.
        rest_words: the parts in `rest_s`: "the upload, the server's delay and its layers"; "" if it is 0.
    """

    pieces: tuple[RunnablePiece, ...]
    rest_s: float = 0.0
    rest_words: str = ""
