"""Tables B.2 to B.4 without training: gains of model c by arithmetic, BCNN over CNN by the cost model on networks of the space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path

import numpy as np

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas.architecture import laid_out
from engines.methods.eexnas.costs import cost_of
from engines.methods.eexnas.instance import instance_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "odema-2024")
_SAMPLES, _NETWORKS = 512, 200
_WHY = (
    "Published: two different networks of other work, measured. Computed: the same network in bits and in 32-bit numbers, the "
    "middle "
    "of 200 of the space, with assumed cycles."
)


def arithmetic() -> Iterator[Comparison]:
    """Yield the memory and energy that are saved, accuracy that is lost, in per cent of the activity-aware network."""
    rows = PUBLICATION.rows("Model c over the activity-aware network (section B.6.3)", kind="arithmetic")
    for title, printed, ours, other in (
        ("Memory saved", "model_c.memory_gain", "tableB.4.model_c.th_0.99.ram", "tableB.4.activity_aware_17.ram"),
        ("Energy saved", "model_c.energy_gain", "tableB.4.model_c.th_0.99.energy", "tableB.4.activity_aware_17.energy"),
        (
            "Accuracy lost, relative",
            "model_c.accuracy_drop",
            "tableB.3.model_c.th_0.99.accuracy",
            "tableB.3.activity_aware_17.accuracy",
        ),
    ):
        saved = 100 * (1 - PUBLICATION.value(ours) / PUBLICATION.value(other))
        yield rows(title, printed, saved, inputs=(ours, other))


@dataclass(frozen=True)
class Ratios(Case[tuple[float, float]]):
    """Medians over networks drawn: RAM and energy in bits over those in 32-bit numbers, on windows of 512 samples."""

    def run(self) -> tuple[float, float]:
        """Return the RAM without the overhead, energy without an exit."""
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
        """Return the published rows with NaN as computed values."""
        return nan, nan


def binary(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the RAM and energy."""
    rows = PUBLICATION.rows("Binary network over 32-bit network (Table B.2)", why=_WHY)
    found = look(Ratios())
    for key, title, ours in zip(("ram", "energy"), ("RAM", "energy"), found, strict=True):
        names = (f"tableB.2.BCNN.{key}", f"tableB.2.CNN.{key}")
        printed = PUBLICATION.derived(PUBLICATION.value(names[0]) / PUBLICATION.value(names[1]), "x", *names)
        yield rows(f"Binary network over 32-bit network: {title}", printed, ours, same_side=ours < 1)
