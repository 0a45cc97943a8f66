"""The run for one backbone whose inputs leave by rules that can run, beside the ideal mapping that none can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Note, Result, Table, TableColumn
from engines.methods.hadas.baselines import static_designs
from engines.methods.hadas.comparison import chain_notes_of, given_networks
from engines.methods.hadas.exit_rule_search import THRESHOLDS, RuledFront, ruled_front
from engines.methods.hadas.inner_search import exact_choices
from engines.methods.hadas.scoring import designs_of
from engines.methods.hadas.setup import Setup
from engines.search.ends.confidence import RULES, Rule
from engines.workloads.assumed_chain import scoped

_TITLES: Mapping[Rule, str] = {"largest_probability": "largest probability", "entropy": "entropy"}
_LESS = (0.0, 1.0, 2.0, 5.0)  # points below the network's own end
_ROUNDING = 1e-9
IDEAL_LABEL = "Ideal mapping"


class RuledRun:
    """Looks at every set of exits under every rule; the front of the ideal mapping stands beside it as baselines."""

    def __init__(self, setup: Setup, record: Recorder) -> None:
        self._setup, self._record = setup, record
        self._backbone = setup.given
        self._costs = self._backbone.costs(setup.prices)

    def steps(self) -> Iterator[Step]:
        """Yield baselines, then the front."""
        record, setup, backbone = self._record, self._setup, self._backbone
        assert backbone.ruled is not None  # the setup refuses rules without measured exits
        ideal = exact_choices(backbone.correctness, self._costs)
        if record.state is None:
            if setup.params.baselines:
                designs = designs_of(setup, backbone, ideal.chosen, ideal.setting)
                known = replace(designs, label=[IDEAL_LABEL] * len(designs))
                for each in (static_designs(setup, backbone), known):
                    record.add(each, "baseline", np.zeros(len(each), np.int64))
            yield record.step(0.01, "Without exits, and the ideal mapping", state={"evaluations": 0})
        if record.context.stop_requested():
            return
        found = ruled_front(backbone.ruled, self._costs)
        front = designs_of(setup, backbone, found.ruled.chosen, found.setting, ruled=found.ruled)
        unmet = record.unmet(front)
        if unmet is not None:
            yield record.infeasible(unmet)
            return
        record.add(front, at=np.full(len(front), record.scored(len(setup.settings))[-1]))
        words = f"{counted(len(front))} choices of exits, rule and clocks on the front"
        own_end = 100 * float(backbone.correctness.accuracy[-1])
        fronts = {_TITLES[rule]: ruled_front(backbone.ruled, self._costs, (rule,)).points for rule in RULES}
        table = lost_table({"ideal mapping": ideal.points, **fronts}, own_end)
        certain = scoped(_proof(found, len(setup.settings)), *given_networks(setup))
        results: tuple[Result, ...] = (certain, *chain_notes_of(setup), table)
        yield record.step(1.0, words, results)


def _proof(found: RuledFront, settings: int) -> Note:
    sets = "every set of exits" if found.whole else "every one of the 512 smallest sets of exits"
    text = (
        f"Proven: the search evaluated {sets} under {len(RULES)} rules at {len(THRESHOLDS)} thresholds and "
        f"{counted(settings)} clock settings, {counted(found.looked_at)} choices. None is better in "
        "accuracy, mean latency and mean energy."
    )
    return Note("proof", "Exact front", text, role="proof")


def lost_table(fronts: Mapping[str, FloatArray], own_percent: float) -> Table:
    """Return what rules lose against the ideal mapping: the least mean costs of no less than some accuracies.

    A rule may cost less than the ideal mapping at accuracies that the latter never comes down to: an input that is sure and wrong
    leaves early, where ideally it stays until an end is right.

    Args:
        fronts: by what inputs leave -> error, mean latency and mean energy, shape `k x 3`.
        own_percent: accuracy of the network's own end alone, below which and above which is compared.
    """
    highest = {100 * (1 - float(points[:, 0].min())) for points in fronts.values()}
    levels = np.array(sorted({*(own_percent - less for less in _LESS), *highest}, reverse=True))
    columns = [TableColumn("Accuracy, at least", levels, "%")]
    for words, column, unit in (("Energy", 2, "J"), ("Latency", 1, "s")):
        for title, points in fronts.items():
            least = np.array(
                [_least(points[100 * (1 - points[:, 0]) >= level - _ROUNDING, column]) for level in levels]
            )
            columns.append(TableColumn(f"{words}, {title}", least, unit))
    return Table("lost-to-ideal", "Rules against the ideal mapping", tuple(columns))


def _least(values: FloatArray) -> float:
    return float(values.min()) if len(values) else float("nan")
