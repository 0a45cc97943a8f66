"""Strategies on a space of nine designs whose columns are told by their rows."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.contract.errors import DecisionError
from engines.contract.limits import LIMIT_SLACK, beyond
from engines.contract.quantities import Quantity
from engines.running.context import LocalContext
from engines.running.recorder import RunRecorder
from engines.search.strategies import Beginning, Exhaustive, Genetic, ListedDesigns, ListedSpace, Own, Search, Strategy
from tests.engines.tiny import toy_problem
from tests.support.toy_engine import ToyEngine

QUANTITIES = (
    Quantity("time_s", "Time", "s", "minimise", "objective", "Of a design."),
    Quantity("gain", "Gain", "", "maximise", "objective", "Of a design."),
    LIMIT_SLACK,
)  # fmt: skip
SPACE = ListedSpace({"first": (0, 1, 2), "second": (0, 1, 2)})


class Diagonal(ListedSpace):
    """Rows of two equal genes describe no design."""

    def design(self, genes: Sequence[int]) -> tuple[int, ...]:
        return None if genes[0] == genes[1] else tuple(genes)  # type: ignore[return-value]


def columns_of(designs: Sequence[tuple[int, ...]]) -> dict[str, np.ndarray]:
    rows = np.array(designs, dtype=np.float64).reshape(-1, 2)
    return {"time_s": 1 + rows[:, 0], "gain": rows[:, 1] - rows[:, 0], LIMIT_SLACK.name: 1.5 - rows[:, 1]}


def searched(strategy: Strategy[tuple[int, ...]]) -> tuple[Search[tuple[int, ...]], RunRecorder, list[str]]:
    toy = toy_problem(ToyEngine.name)
    engine = type("Nine", (ToyEngine,), {"quantities": QUANTITIES, "tells": ()})()
    record = RunRecorder(engine, toy.problem, LocalContext(toy.problem))
    search = Search(
        record, strategy, lambda designs: Designs(columns_of(designs), [SPACE.encode(each) for each in designs]),
        QUANTITIES, (0.0, 1.0), Beginning(None),
    )  # fmt: skip
    return search, record, [step.message for step in search.steps()]


def test_every_design_is_evaluated_in_order() -> None:
    search, record, messages = searched(Exhaustive(SPACE, 4))
    assert search.done and [each["first"] for each in record.designs.decisions] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert messages == ["4 of 9 designs", "8 of 9 designs", "9 of 9 designs"]


def test_the_share_of_a_search_that_follows_baselines_ends_at_one() -> None:
    toy = toy_problem(ToyEngine.name)
    record = RunRecorder(ToyEngine(), toy.problem, LocalContext(toy.problem))
    listed: Exhaustive[tuple[int, ...]] = Exhaustive(ListedDesigns([(0, number) for number in range(13)]), 13)
    nothing = Designs.empty(ToyEngine.quantities)
    search = Search(record, listed, lambda designs: nothing, QUANTITIES, (0.1, 0.9), Beginning(None))
    assert [step.fraction for step in search.steps()] == [1.0]  # 0.1 + 0.9 * 13 / 13 is more


def test_designs_whose_bounds_a_design_within_its_limits_dominates_are_left_out() -> None:
    search, record, messages = searched(Exhaustive(SPACE, 1, columns_of))
    front = record.designs.front(QUANTITIES)
    assert [dict(record.designs.decisions[row]) for row in front] == [{"first": 0, "second": 1}]
    # The best of all breaks the limit and rules nothing out.
    assert record.designs.decisions[0] == {"first": 0, "second": 2}
    assert search.done and len(record.designs) < 9 and messages[-1].endswith("ruled out by bounds")


def test_generations_evaluate_no_row_twice_and_count_rows_without_a_design() -> None:
    space = Diagonal(SPACE.values)
    search, record, _ = searched(Genetic(space, 20, 4))
    assert search.done and search.scored > len(record.designs)
    assert len({tuple(each.values()) for each in record.designs.decisions}) == len(record.designs) > 3


def test_a_search_of_an_engine_makes_its_own_steps() -> None:
    def steps(search: Search[tuple[int, ...]]) -> Iterator[Step]:
        search.record.add(search.evaluate([(0, 1), (1, 0), (2, 2)]))
        yield search.record.step(0.5, "Three looked at", state={})

    search, record, messages = searched(Own(3, "Three designs", "Three were seen.", steps))
    assert search.done and record.evaluations == 3 and messages == ["Three looked at"]
    nothing = Own(0, "", "", lambda search: iter([search.record.infeasible(beyond("time", 2.0, 1.0, "s"), "None")]))
    search, _, messages = searched(nothing)
    assert not search.done and messages == ["None"]


def test_a_value_outside_of_its_list_is_refused_with_the_list() -> None:
    assert SPACE.decode({"first": 2, "second": 0}) == (2, 0)
    for wrong in ({"first": 3, "second": 0}, {"first": True, "second": 0}, {"second": 0}):
        with pytest.raises(DecisionError, match="one of: 0, 1, 2") as refused:
            SPACE.decode(wrong)
        assert refused.value.field == "decision.first"
