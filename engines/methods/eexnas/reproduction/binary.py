"""BCNN over CNN (Table B.2), by the cost model on networks of the space: no training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas.architecture import laid_out
from engines.methods.eexnas.costs import cost_of
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.reproduction.arithmetic import PUBLICATION
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader

_SAMPLES, _NETWORKS = 512, 200
_WHY = (
    "Published: two different networks of other work, measured. Ours: the same network in bits and in 32-bit numbers, the middle "
    "of 200 of the space, with assumed cycles."
)


@dataclass(frozen=True)
class Ratios(Case[tuple[float, float]]):
    """Medians over networks drawn: RAM and energy in bits over those in 32-bit numbers, on windows of 512 samples."""

    def run(self) -> tuple[float, float]:
        """RAM without the overhead, energy without an exit."""
        given = {"hardware": get_builtin("hardware", "efm32-giant-gecko")}
        instance = instance_of(make_problem("eexnas", given, {"samples": _SAMPLES}))
        space, found = instance.space, []
        for genes in space.draw(_NETWORKS, np.random.default_rng(0)):
            numbers = space.laid(genes)
            assert numbers is not None  # only such are drawn
            bits = laid_out(replace(numbers.architecture, binary=True), space.channels, space.samples, space.classes)
            assert bits is not None  # as long as the other
            costs = [cost_of(each, instance.device).alone_s for each in (bits, numbers)]
            found.append((bits.static_bytes / numbers.static_bytes, costs[0] / costs[1]))
        ram, energy = np.median(np.array(found), axis=0).tolist()
        return ram, energy

    def blank(self) -> tuple[float, float]:
        """Without values."""
        return nan, nan


def binary(look: OutcomeReader) -> Iterator[Comparison]:
    """RAM and energy."""
    rows = PUBLICATION.rows("Binary network over 32-bit network (Table B.2)", why=_WHY)
    found = look(Ratios())
    for key, title, ours in zip(("ram", "energy"), ("RAM", "energy"), found, strict=True):
        names = (f"tableB.2.BCNN.{key}", f"tableB.2.CNN.{key}")
        printed = PUBLICATION.derived(PUBLICATION.value(names[0]) / PUBLICATION.value(names[1]), "x", *names)
        yield rows(f"Binary network over 32-bit network: {title}", printed, ours, same_side=ours < 1)
