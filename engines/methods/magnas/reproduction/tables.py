"""Tables 2 and 3: baselines on single units, and the published mappings of a3."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from engines.methods.magnas.reproduction.common import (
    A3_SHAPE,
    BASELINES,
    DATA_SETS,
    EXACT_LIMITED,
    MJ,
    MS,
    NETWORKS,
    OTHER_MEAN,
    TABLE_3,
    TOTALS,
    published_units,
)
from engines.methods.magnas.reproduction.published import PUBLICATION, value
from engines.methods.magnas.reproduction.runs import Case, MappingScores
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import OutcomeReader


def table_2(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the baselines on single units; and the averages of the abstract from the table's own rows."""
    rows = PUBLICATION.rows("Table 2: baselines on single units", why=TOTALS, kind="fitted")
    for name in BASELINES:
        found = look(Case(NETWORKS[name]))
        for unit, alone in (("GPU", found.gpu), ("DLA", found.dla)):
            key = f"table3.3.baselines.{name}"
            words = f"{name} ({NETWORKS[name].removeprefix('magnas-vig-s-')}) on {unit}"
            yield rows(f"{words}, latency", f"{key}.lat_{unit}", MS * alone[0])
            yield rows(f"{words}, energy", f"{key}.energy_{unit}", MJ * alone[1])
    yield from _from_its_own_rows()


def _from_its_own_rows() -> Iterator[Comparison]:
    """Yield what the text says of the 16 models of Table 2, put together from their rows."""
    rows = PUBLICATION.rows("Table 2: averages of the 16 models, from its own rows", kind="arithmetic")
    models = [f"table3.3.{data}.a{number}" for data in DATA_SETS for number in range(4)]
    for quantity, words, key in (("latency", "speed-up", "lat"), ("energy", "energy gain", "energy")):
        mean = float(np.mean([value(f"{model}.{quantity}") for model in models]))
        for unit in ("GPU", "DLA"):
            name = "avg_latency_speedup_vs_b0" if key == "lat" else "avg_energy_gain_vs_b0"
            base = f"table3.3.baselines.b0.{key}_{unit}"
            inputs = (base, *(f"{model}.{quantity}" for model in models))
            words_of = f"Mean {words} over b0 on {unit}"
            published = f"{name}_{unit.lower()}"
            yield rows(words_of, published, value(base) / mean, inputs=inputs)
    bases = [f"table3.3.baselines.b0.{column}" for column in DATA_SETS.values()]
    accuracies = [f"{model}.top1" for model in models]
    below = float(np.mean([value(base) for base in bases]) - np.mean([value(each) for each in accuracies]))
    yield rows(
        "Mean accuracy below b0, points", "avg_accuracy_reduction", below, why=OTHER_MEAN, inputs=(*bases, *accuracies)
    )
    base = "table3.3.baselines.b0.acc_F"
    for key, name, other, sign in (
        ("edgeconv_accuracy_gain", "EdgeConv above", "b1", 1),
        ("gin_accuracy_drop", "GIN below", "b2", -1),
    ):
        one = f"table3.3.baselines.{other}.acc_F"
        ours = sign * percent_more(value(one), value(base))
        words = f"Oxford-Flowers: accuracy with {name} max-relative, relative"
        yield rows(words, f"fig1.{key}", ours, why=OTHER_MEAN, inputs=(one, base))


def table_3(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the published mappings of a3, and what exact search finds at the latency of the published one."""
    rows = PUBLICATION.rows("Table 3: published mappings of a3")
    mappings = tuple(tuple(published_units(name)) for name in TABLE_3)
    designs = look(MappingScores(NETWORKS["a3"], mappings))
    for place, (name, units) in enumerate(zip(TABLE_3, mappings, strict=True)):
        changes = float(sum(one != other for one, other in pairwise(units)))
        key, words = f"table3.4.{name}", _mapping_words(name)
        mapped = tuple(f"{key}.{part}" for part in ("stem", "grapher", "ffn", "cls"))
        yield rows(f"{words}: unit transitions", f"{key}.transitions", changes, kind="arithmetic", inputs=mapped)
        ms, mj = MS * designs.latency_s[place], MJ * designs.energy_j[place]
        yield rows(f"{words}: latency", f"{key}.latency", ms, why=A3_SHAPE, inputs=mapped)
        yield rows(f"{words}: energy", f"{key}.energy", mj, why=A3_SHAPE, inputs=mapped)
    mapped = tuple(f"table3.4.Ours_IOE.{part}" for part in ("stem", "grapher", "ffn", "cls"))
    for unit in ("gpu", "dla"):
        used = 100 * float(np.mean([each == unit for each in published_units("Ours_IOE")]))
        words, published = f"Searched mapping: blocks on the {unit.upper()}", f"table3.3.CIFAR-100.a3.{unit}_use"
        yield rows(words, published, used, kind="arithmetic", inputs=mapped)
    rows = PUBLICATION.rows("Table 3: least energy at the latency of the published mapping")
    free = "table3.4.Ours_IOE.energy"
    least = {limit: _least_energy(look, limit) for limit in (0, 1, 2, None)}
    limited = {
        limit: min((f"table3.4.constr-transit{limit}.{row}.energy" for row in "ab"), key=value) for limit in (1, 2)
    }
    for limit, published in {**limited, 0: "table3.4.GPU-only.energy"}.items():
        # No side: what is searched within a limit is part of what is searched without, so that less cannot come out.
        words = f"At most {limit} change{'s' if limit > 1 else ''}" if limit else "No change"
        theirs, ours = percent_more(value(published), value(free)), percent_more(least[limit], least[None])
        why = EXACT_LIMITED if limit else A3_SHAPE
        name = f"{words}: energy above that with any number"
        yield rows(name, PUBLICATION.derived(theirs, "%", published, free), ours, why=why)
    published_j = float(designs.energy_j[TABLE_3.index("Ours_IOE")])
    yield rows(
        "Energy of the published mapping over the least at its latency",
        PUBLICATION.unprinted("x", "Table 3"),
        published_j / least[None],
        why="The published search is NSGA-II; the computed value is exact. Both by our costs.",
    )


def percent_more(one: float, other: float) -> float:
    """Return by how many per cent `one` is above `other`."""
    return 100 * (one / other - 1)


def _least_energy(look: OutcomeReader, changes: int | None) -> float:
    limit = () if changes is None else (("transition_limit", changes),)
    found = look(Case(NETWORKS["a3"], limit, no_slower_than=tuple(published_units("Ours_IOE"))))
    return float(found.energy_j.min())


def _mapping_words(name: str) -> str:
    if name == "Ours_IOE":
        return "Searched mapping"
    if "transit" not in name:
        return name.replace("-", " ")
    return {"1": "One change, ", "2": "Two changes, "}[name[len("constr-transit")]] + name[-1]
