"""Tables 2 and 3: baselines on single units, and the published mappings of a3."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from engines.methods.magnas.published import compare, unpublished, value
from engines.methods.magnas.reproduction_runs import Case, Runs
from engines.methods.magnas.reproduction_shared import (
    A3_SHAPE,
    BASELINES,
    EXACT_LIMITED,
    MJ,
    MS,
    NETWORKS,
    TABLE_3,
    TOTALS,
    published_units,
)
from engines.reproductions import Comparison


def table_2(runs: Runs) -> Iterator[Comparison]:
    """Baselines on single units; and the averages of the abstract from the table's own rows."""
    group = "Table 2: baselines on single units"
    for name in BASELINES:
        found = runs.look(Case(NETWORKS[name]))
        for unit, alone in (("GPU", found.gpu), ("DLA", found.dla)):
            key = f"table3.3.baselines.{name}"
            words = f"{name} ({NETWORKS[name].removeprefix('magnas-vig-s-')}) on {unit}"
            yield compare(f"{words}, latency", f"{key}.lat_{unit}", MS * alone[0], group, kind="fitted", why=TOTALS)
            yield compare(f"{words}, energy", f"{key}.energy_{unit}", MJ * alone[1], group, kind="fitted", why=TOTALS)
    group = "Table 2: averages of the 16 models, from its own rows"
    models = [
        f"table3.3.{data}.a{number}"
        for data in ("CIFAR-10", "CIFAR-100", "Oxford-Flowers", "Tiny-ImageNet")
        for number in range(4)
    ]
    for quantity, words, key in (("latency", "speed-up", "lat"), ("energy", "energy gain", "energy")):
        mean = float(np.mean([value(f"{model}.{quantity}") for model in models]))
        for unit in ("GPU", "DLA"):
            name = "avg_latency_speedup_vs_b0" if key == "lat" else "avg_energy_gain_vs_b0"
            ours = value(f"table3.3.baselines.b0.{key}_{unit}") / mean
            yield compare(f"Mean {words} over b0 on {unit}", f"{name}_{unit.lower()}", ours, group, kind="exact")


def table_3(runs: Runs) -> Iterator[Comparison]:
    """The published mappings of a3, and what exact search finds at the latency of the published one."""
    group = "Table 3: published mappings of a3"
    decisions = [{"units": published_units(name)} for name in TABLE_3]
    designs = runs.scores(NETWORKS["a3"], decisions)
    for row, name in enumerate(TABLE_3):
        units = decisions[row]["units"]
        changes = float(sum(one != other for one, other in pairwise(units)))
        key, words = f"table3.4.{name}", _mapping_words(name)
        yield compare(f"{words}: changes of unit", f"{key}.transitions", changes, group, kind="exact", unit="changes")
        yield compare(f"{words}: latency", f"{key}.latency", MS * designs.latency_s[row], group, why=A3_SHAPE)
        yield compare(f"{words}: energy", f"{key}.energy", MJ * designs.energy_j[row], group, why=A3_SHAPE)
    group = "Table 3: least energy at the latency of the published mapping"
    latency_s = float(designs.latency_s[TABLE_3.index("Ours_IOE")])
    free = value("table3.4.Ours_IOE.energy")
    least = {limit: _least_energy(runs, latency_s, limit) for limit in (0, 1, 2, None)}
    for limit, rows in ((1, ("a", "b")), (2, ("a", "b"))):
        published = min((f"table3.4.constr-transit{limit}.{row}.energy" for row in rows), key=value)
        ours = free * least[limit] / least[None]
        words = f"At most {limit} change{'s' if limit > 1 else ''}, in mJ per {free:g} mJ with any number"
        side = (value(published) > free, least[limit] > least[None])
        yield compare(words, published, ours, group, why=EXACT_LIMITED, side=side)
    ours = free * least[0] / least[None]
    yield compare(
        "No change, likewise", "table3.4.GPU-only.energy", ours, group, why=A3_SHAPE, side=(True, ours > free)
    )
    published_j = float(designs.energy_j[TABLE_3.index("Ours_IOE")])
    yield unpublished(
        "Energy of the published mapping over the least at its latency", published_j / least[None], "x", group, "Table 3",
        why="The published search is NSGA-II; ours is exact. Both by our costs.",
    )  # fmt: skip


def _least_energy(runs: Runs, latency_s: float, changes: int | None) -> float:
    limit = () if changes is None else (("transition_limit", changes),)
    # A hair more: the published mapping itself must stay within.
    return float(runs.look(Case(NETWORKS["a3"], (("latency_limit_s", latency_s * (1 + 1e-9)), *limit))).energy_j.min())


def _mapping_words(name: str) -> str:
    if name == "Ours_IOE":
        return "Searched mapping"
    if "transit" not in name:
        return name.replace("-", " ")
    return {"1": "One change, ", "2": "Two changes, "}[name[len("constr-transit")]] + name[-1]
