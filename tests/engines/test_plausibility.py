"""No default and no preset shows a value that physics rules out: all engines that the registry knows, a few designs of each."""

import pytest

from engines.registry import get_engine
from tests.engines.methods.duet.problems import duet_problem
from tests.engines.plausibility import DEFAULT, Case, check, check_values, every_case, first_designs

# Their first designs come after a training or a search of seconds to minutes.
SLOW = (
    "eexnas", "magnas", "myml", "privynas", "sbrs", "sbrs-search", "seesaw", "train-bottleneck", "train-estimator", "train-exits",
    "train-recommender", "train-supernet",
)  # fmt: skip
SEARCHED = ("duet", "soc-mapping", "split-network")  # whose searches take a fraction of a second
SMALLER = {"energyshield": {"episodes": 3}, "split-computing": {"dqn": False, "windows": 2000}}
CASES = list(every_case())


def quick(case: Case) -> bool:
    """Whether a case is tried at every change: one of each engine that needs no training, and all of duet."""
    return case.engine not in SLOW and (case.name == DEFAULT or case.engine in ("duet", "split-network"))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_default_and_preset_is_accepted(case: Case) -> None:
    get_engine(case.engine).prepare(case.problem())


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[] if quick(case) else [pytest.mark.long]) for case in CASES], ids=str
)
def test_first_designs_keep_the_bounds_of_physics(case: Case) -> None:
    problem = case.problem(**SMALLER.get(case.engine, {}))
    assert check(problem, first_designs(problem, 2 if case.engine in SEARCHED else 1)) >= 1


@pytest.mark.long
@pytest.mark.parametrize("case", [case for case in CASES if case.engine not in (*SLOW, *SEARCHED)], ids=str)
def test_searched_designs_keep_the_bounds_of_physics(case: Case) -> None:
    problem = case.problem(**SMALLER.get(case.engine, {}))
    assert check(problem, first_designs(problem, 3)) >= 1


def test_a_phone_of_kilowatts_and_an_answer_before_the_network_are_found() -> None:
    scaled = duet_problem({"model": "rm2", "edge_energy": "published"})
    with pytest.raises(AssertionError, match="edge_energy_j"):
        check(scaled, first_designs(scaled))
    early = duet_problem({"delay_ms": 0.0})
    with pytest.raises(AssertionError):
        check(early, first_designs(early))


def test_a_share_above_one_is_found() -> None:
    problem = Case("neksus", DEFAULT).problem()
    designs = first_designs(problem)
    busier = {**designs.columns, "busiest_channel_fraction": 1.2 + 0 * designs.columns["busiest_channel_fraction"]}
    with pytest.raises(AssertionError, match="busiest_channel_fraction"):
        check_values(problem, busier)
