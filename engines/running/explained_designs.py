"""The designs whose explanations a run stores at its end: those that pages show first."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from engines.contract.designs import Designs
from engines.contract.encoding.result_json import from_json, result_to_bytes
from engines.contract.engine import Context, Engine, Problem
from engines.contract.fronts.front import best_among, knee_among
from engines.contract.quantities import Quantity, objectives_of
from engines.contract.results import Result
from engines.running.prepared_problems import ready_of

MOST_DESIGNS = 5
# Another design is begun only within this time. One alone may take longer.
BEGIN_WITHIN_S = 10.0
_MOST_TEXT_BYTES = 32 * 1024 * 1024


def designs_to_explain(designs: Designs, quantities: Sequence[Quantity], primary: str) -> list[int]:
    """Return the numbers of at most `MOST_DESIGNS` designs.

    In this order: the knee point, the best design by `primary` and by every objective, the best baseline by `primary`. Where no
    design meets the limits, the best of those that violate one.
    """
    metric, objectives = next(each for each in quantities if each.name == primary), objectives_of(quantities)
    front = designs.front(quantities)
    wanted = [
        knee_among(designs.columns, objectives, front),
        *(designs.best(each, quantities) for each in (metric, *objectives)),
        designs.best(metric, quantities, ("baseline",)),
    ]
    if not len(front):
        searched = np.flatnonzero(designs.of_origin("search"))
        wanted.append(best_among(designs.columns[primary], metric.sense, searched))
    return list(dict.fromkeys(number for number in wanted if number is not None))[:MOST_DESIGNS]


def explanations(
    engine: Engine, problem: Problem, designs: Designs, context: Context, clock: Callable[[], float] = time.monotonic
) -> Iterator[tuple[int, tuple[Result, ...]]]:
    """Yield number and explanation of the designs to explain; those that the engine refuses are left out."""
    ready, begun = ready_of(engine, problem), clock()
    for number in designs_to_explain(designs, engine.quantities_of(problem.params), engine.primary_metric(problem)):
        if clock() - begun > BEGIN_WITHIN_S:
            return
        try:
            yield number, engine.explain(problem, ready, designs.decisions[number], context)
        except Exception:  # noqa: BLE001 - the search is complete; the page explains the design again and shows the reason
            continue


def pack_explanation(results: Sequence[Result]) -> bytes:
    """Return the results as compressed JSON text."""
    return zlib.compress(b"[" + b",".join(map(result_to_bytes, results)) + b"]")


def unpack_explanation(content: bytes) -> tuple[Result, ...]:
    """Return the results of a packed explanation.

    Raises:
        ValueError, TypeError: it is none, or of a release with other results.
    """
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(content, _MOST_TEXT_BYTES)
    except zlib.error as error:
        raise ValueError(f"The explanation must be compressed text: {error}.") from error
    found: tuple[Result, ...] = from_json(json.loads(text))
    return found
