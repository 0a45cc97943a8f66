"""Small networks that are cut, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

_SIZE = {"y": 28, "x": 28, "r": 3, "s": 3, "pad": 1}


def network(*operations: Mapping[str, Any]) -> Document:
    """A network of those rows."""
    content = {
        "schema": "network/1", "slug": "small", "title": "Small", "short_title": "Small", "source": "made up for tests",
        "operations": [dict(each) for each in operations],
    }  # fmt: skip
    return Document("workload", "small", 1, content)


def conv(name: str, k: int, c: int, **more: Any) -> dict[str, Any]:
    """A 3 x 3 convolution on 28 x 28 places."""
    return {"name": name, "kind": "conv", "k": k, "c": c, **_SIZE, **more}


def branched() -> Document:
    """A stem, two branches of two and one convolutions that are added, and a classifier."""
    return network(
        conv("stem", 16, 3),
        conv("left.1", 8, 16, reads=[0]),
        conv("left.2", 32, 8),
        conv("right", 32, 16, reads=[0]),
        {"name": "add", "kind": "eltwise", "k": 32, "c": 32, "y": 28, "x": 28, "reads": [2, 3]},
        {"name": "exit", "kind": "gemm", "k": 10, "c": 32, "y": 1},
    )


def two_layers() -> Document:
    """Two convolutions, the first of which gives out less than it reads in bytes of 32-bit words."""
    return network(conv("first", 2, 3), conv("second", 64, 2))


def split_problem(
    params: Mapping[str, Any] | None = None,
    workload: Document | str | None = None,
    radio: Document | str = "wifi-smartphone",
    seed: int = 0,
    **more: Document | str,
) -> Problem:
    """The branched network as it is between Jetson TX2 and a server over Wi-Fi by default."""
    chosen = branched() if workload is None else workload
    documents = {
        "hardware": get_builtin("hardware", "jetson-tx2"),
        "workload": chosen if isinstance(chosen, Document) else get_builtin("workload", chosen),
        "radio": radio if isinstance(radio, Document) else get_builtin("hardware", radio),
        **{slot: each if isinstance(each, Document) else get_builtin("hardware", each) for slot, each in more.items()},
    }
    return make_problem(
        "split-network",
        documents,
        {"compression": 1.0, "int8": False, "queue_ms": 10.0, "round_trip_ms": 0.0, **(params or {})},
        seed=seed,
    )


def tiny() -> TinyProblem:
    """Every cut of the branched network, with everything that can be switched on; nothing ends in 1 ns."""
    params = {"compression": 4.0, "int8": True, "channel": "rayleigh", "queue": "geometric", "latency_limit_s": 1.0}
    return TinyProblem(split_problem(params, seed=3), split_problem({**params, "latency_limit_s": 1e-9}))
