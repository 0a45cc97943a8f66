"""Tables 2.1 and 2.2: the spaces, and networks with and without exits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from engines.documents.builtin import get_builtin
from engines.methods.hadas.inner_search import exact_choices
from engines.methods.hadas.reproduction.published import PUBLICATION, TX2, UNITS, XAVIER, problem_of
from engines.methods.hadas.scoring import static_costs
from engines.methods.hadas.setup import build_setup
from engines.methods.hadas.space import BASELINES, SPACE_SIZE
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import row
from engines.search.ends.correctness import union_accuracy
from hardware.soc.family import SOC

_CLOCKS = {
    "gpu_agx_volta": ("Steps of the GPU clock, AGX", XAVIER, "gpu"),
    "cpu_carmel_armv8_2": ("Steps of the CPU clock, AGX", XAVIER, "cpu"),
    "emc_agx_soc": ("Steps of the memory clock, AGX", XAVIER, "memory"),
    "gpu_tx2_pascal": ("Steps of the GPU clock, TX2", TX2, "gpu"),
    "cpu_denver": ("Steps of the Denver clock, TX2", TX2, "denver2"),
    "emc_tx2_soc": ("Steps of the memory clock, TX2", TX2, "memory"),
}
_LINE = "Accuracy is a straight line over the logarithm of the multiply-accumulates, not a trained supernet's."
_ASSUMED = "How often exits are right is assumed; the published exits were trained, and their places are not published."


def table_2_1(_: OutcomeReader) -> Iterator[Comparison]:
    """Yield the sizes of the spaces."""
    group = "Table 2.1: search spaces"
    yield row(
        "Backbones, more than", PUBLICATION.printed("backbone_space_size_lower_bound"), float(SPACE_SIZE), group,
        kind="constant", test="at least",
        why="The publication says “more than”; the computed value counts every combination of the configuration file.",
    )  # fmt: skip
    for key, (words, device, name) in _CLOCKS.items():
        soc = SOC.load(get_builtin("hardware", device).content)
        memory = soc.memory.frequencies_hz if soc.memory else ()
        steps = memory if name == "memory" else soc.units[name].frequencies_hz
        yield row(words, PUBLICATION.printed(f"dvfs.{key}.cardinality"), float(len(steps)), group, kind="constant")


@dataclass(frozen=True)
class Exits(Case[tuple[float, float, float, float, float]]):
    """A network of the space on TX2's GPU.

    What it finds: accuracy without and with all exits in %, energy without exits, with exits at the highest clocks, and with
    exits and clocks, least each, in mJ.
    """

    name: str

    def run(self) -> tuple[float, float, float, float, float]:
        """Return the five computed values."""
        least = []
        unit = UNITS["pascal_gpu"]
        setup = build_setup(problem_of(unit, {"ends": "correlated"}))
        backbone = setup.backbone(BASELINES[self.name])
        every = np.ones((1, backbone.ends), bool)
        union = float(union_accuracy(backbone.correctness, every)[0])
        for prices in (setup.highest, setup.prices):
            found = exact_choices(backbone.correctness, backbone.costs(prices))
            least.append(1e3 * float(found.points[:, 2].min()))
        static = 1e3 * static_costs(setup, backbone)[1]
        return 100 * float(backbone.correctness.accuracy[-1]), 100 * union, static, least[0], least[1]

    def blank(self) -> tuple[float, float, float, float, float]:
        """Return NaN for every value, for a reproduction that was not computed."""
        return nan, nan, nan, nan, nan


def table_2_2(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the accuracies and energies of a0 and a6."""
    group = "Table 2.2: with and without exits, TX2 Pascal GPU"
    energy = "The calibration has two parameters for two published energies."
    exits = f"{_ASSUMED} The computed value is the least energy of any choice of exits that was found."
    for name in ("a0", "a6"):
        key = f"table2.2.AttentiveNAS_{name}"
        ours, smallest = look(Exits(name)), look(Exits("a0"))
        yield from _accuracies(name, ours, smallest, group)
        yield row(
            f"{name}: energy without exits", PUBLICATION.printed(f"{key}.baseline_energy"), ours[2], group, kind="fitted",
            why=energy,
        )  # fmt: skip
        for column, place, words in (("eex_energy", 3, "with exits"), ("eex_dvfs_energy", 4, "with exits and clocks")):
            yield row(
                f"{name}: energy {words}", PUBLICATION.printed(f"{key}.{column}"), ours[place], group, why=exits,
                same_side=ours[place] < ours[2],
            )  # fmt: skip


def _accuracies(name: str, ours: Sequence[float], smallest: Sequence[float], group: str) -> Iterator[Comparison]:
    """Yield the accuracies of a0, through which the line is laid and with which exits agree; of a6 what it and its exits gain."""
    without, with_exits = (f"table2.2.AttentiveNAS_{name}.{part}" for part in ("baseline_acc", "eex_acc"))
    why = f"{_LINE} {_ASSUMED}"
    if name == "a0":
        printed = PUBLICATION.printed(without)
        yield row(f"{name}: accuracy without exits", printed, ours[0], group, kind="fitted", why=_LINE, baseline=100)
    else:
        above = PUBLICATION.difference(without, "table2.2.AttentiveNAS_a0.baseline_acc")
        yield row(f"{name}: accuracy above a0, without exits", above, ours[0] - smallest[0], group, why=_LINE)
    yield row(
        f"{name}: accuracy gained by all exits", PUBLICATION.difference(with_exits, without), ours[1] - ours[0], group,
        kind="fitted" if name == "a0" else "predicted", why=why,
        inputs=("table2.2.AttentiveNAS_a0.eex_acc", "table2.2.AttentiveNAS_a0.baseline_acc"),
    )  # fmt: skip


def ratios() -> Iterator[Comparison]:
    """Yield what section 2.3.4 says of b1, from the energies of Table 2.2."""
    group = "Section 2.3.4: b1 against a6 and a0"
    b1 = "table2.2.HADAS_b1.eex_dvfs_energy"
    for name in ("a6", "a0"):
        other = f"table2.2.AttentiveNAS_{name}.eex_dvfs_energy"
        ours = 100 * (1 - PUBLICATION.value(b1) / PUBLICATION.value(other))
        yield row(
            f"b1 needs less energy than {name}", PUBLICATION.printed(f"b1_energy_efficiency_vs_{name}"), ours, group,
            kind="arithmetic", inputs=(b1, other),
        )  # fmt: skip
