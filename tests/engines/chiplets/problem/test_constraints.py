"""Users' constraints: read, refused where contradictory, kept by every search and by the bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.joint.search import relaxed_bound, search_jointly
from engines.chiplets.problem.bounds import lower_bounds
from engines.chiplets.problem.constraints import parse_model_chiplets
from engines.chiplets.problem.decision import decode, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.bounds import relaxed_window_bound
from engines.chiplets.windows.evolutionary import evolutionary_search
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.feasibility import require_possible_constraints
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange, assign_windows
from engines.chiplets.windows.resumable import whole
from engines.chiplets.windows.schedule_search import search_window
from engines.contract.errors import DecisionError, ProblemError
from engines.methods.scar.engine import ScarEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from engines.running.prepared_problems import ready_of
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.joint.test_search import brute_force as brute_force_of_schedules
from tests.engines.chiplets.joint.test_search import known_value, random_schedule_problem
from tests.engines.chiplets.windows.cases import NAMES, random_window
from tests.engines.chiplets.windows.test_exact import brute_force
from tests.engines.methods.scar.problems import scar_problem
from tests.support.sampling import seeds

ENGINE = ScarEngine()
TITLES = ("GPT-L", "U-Net", "a: b")


def test_models_and_chiplets_are_read_by_name_number_and_range() -> None:
    found = parse_model_chiplets("gpt-l: 0 C1, 4-5; 1: not 8\n a: b: 3;", TITLES, 9)
    assert found == (frozenset({0, 1, 4, 5}), frozenset(range(8)), frozenset({3}))
    assert parse_model_chiplets("  ", TITLES, 4) == (frozenset(range(4)),) * 3


def test_hyphens_and_spaces_of_a_name_are_one_unless_two_models_then_share_it() -> None:
    assert parse_model_chiplets("tiny-net: 1", ("tiny net", "U-Net"), 2)[0] == frozenset({1})
    assert parse_model_chiplets("tiny-net: 1", ("tiny net", "tiny-net"), 2)[1] == frozenset({1})
    with pytest.raises(ProblemError):
        parse_model_chiplets("tiny_net: 1", ("tiny net", "tiny-net"), 2)


@pytest.mark.parametrize(
    ("text", "got", "words"),
    [
        ("GPT-L 0 1", "GPT-L 0 1", "apart by semicolons"),
        ("BERT: 0", "BERT", "GPT-L, U-Net"),
        ("7: 0", "7", "number from 0 to 2"),
        ("GPT-L: 0; gpt-l: 1", "gpt-l: 1", "occurs twice"),
        ("GPT-L: 9", "9", "chiplets from 0 to 8"),
        ("GPT-L: 5-2", "5-2", "chiplets from 0 to 8"),
        ("GPT-L: x", "x", "chiplets from 0 to 8"),
        ("GPT-L:", "GPT-L: ", "at least one chiplet"),
        ("GPT-L: not", "GPT-L: not", "at least one chiplet"),
        ("GPT-L: not 0-8", "GPT-L: not 0-8", "not forbidden"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, got: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as caught:
        parse_model_chiplets(text, TITLES, 9)
    assert (caught.value.field, caught.value.got) == ("params.model_chiplets", got)


def require(models: int, text: str, n_splits: int = 0, **params: str) -> None:
    built = tables({f"m{i}": [[1, 1], [1, 1]] for i in range(models)}, {"model_chiplets": text, **params})
    require_possible_constraints(built, assign_windows(built, n_splits))


def test_two_models_forced_to_one_chiplet_are_named_with_what_would_mend_it() -> None:
    with pytest.raises(ProblemError, match=r"window 1.*at least 2 chiplets between m0 and m2") as caught:
        require(3, "m0: 2; m2: 2")
    assert caught.value.got == "m0 and m2: chiplet 2"
    require(3, "m0: 2; m2: 0")


def test_a_model_that_cannot_start_is_named_with_what_would_mend_it() -> None:
    with pytest.raises(ProblemError, match=r"a start for it in time window 1.*0, 2, 3, 5.*root_rule to free"):
        require(1, "m0: 1 4")
    require(1, "m0: 1 4", root_rule="free")
    with pytest.raises(ProblemError, match=r"2 different starts"):
        require(2, "m0: 0 1; m1: 0 4")


def test_too_many_models_are_not_blamed_on_constraints() -> None:
    require(5, "m0: 0")  # five models, four starts: infeasible anyway
    require(7, "m0: 0", root_rule="free")


def test_check_refuses_contradictions_and_evaluate_flags_violations() -> None:
    with pytest.raises(ProblemError, match="wide and long"):
        ready_of(ENGINE, scar_problem({"model_chiplets": "wide: 1; long: 1"}))
    with pytest.raises(ProblemError, match="one of the models wide, long"):
        ready_of(ENGINE, scar_problem({"model_chiplets": "huge: 1"}))
    problem = scar_problem({"model_chiplets": "long: 2-3", "n_splits": 0})
    ready_of(ENGINE, problem)
    own = {"windows": [{"models": [{"model": m, "first_layer": 0, "cuts": [3], "path": [m]} for m in (0, 1)]}]}
    with pytest.raises(DecisionError, match=r"chiplets out of 2, 3 for long") as caught:
        evaluate(problem, [own])
    assert caught.value.field == "decisions.0.windows.0.models.1.path"


@pytest.mark.parametrize("search", ["exact", "greedy", "evolutionary"])
def test_every_design_of_a_run_keeps_to_the_constraints(search: str) -> None:
    problem = scar_problem({"model_chiplets": "wide: 1 3; long: not 3", "search": search, "evaluations": 150})
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    decisions = [decision for step in steps if step.designs is not None for decision in step.designs.decisions]
    assert len(decisions) > 20
    for decision in decisions:
        for window in decode(decision).windows:
            for placement in window:
                assert set(placement.path) <= ({1, 3} if placement.model == 0 else {0, 1, 2})


def random_constraints(random: np.random.Generator, models: int, chiplets: int) -> str:
    sets = [random.choice(chiplets, int(random.integers(1, chiplets + 1)), replace=False) for _ in range(models)]
    return "; ".join(f"{model}: {' '.join(map(str, own.tolist()))}" for model, own in enumerate(sets))


@pytest.mark.parametrize("seed", seeds(120, at_every_change=30))
def test_random_constrained_windows_equal_brute_force(seed: int) -> None:
    random = np.random.default_rng(seed)
    state = random.bit_generator.state
    built, ranges, *_ = random_window(random)
    text = random_constraints(np.random.default_rng([seed, 1]), len(built.models), built.chiplets)
    random.bit_generator.state = state
    built, ranges, location, roots = random_window(random, model_chiplets=text)
    goal = Goal(NAMES[seed % 3])
    best = brute_force(built, ranges, location, roots, goal)
    searches = (search_window_exactly, search_window, whole(evolutionary_search(10, 4, random)))
    if best == np.inf:
        for search in searches:
            with pytest.raises(DeadEndError):
                search(built, ranges, location, roots, goal)
        return
    found = [search(built, ranges, location, roots, goal).best for search in searches]
    values = [goal.one(option.latency_s, option.energy_j) for option in found]
    assert values[0] == pytest.approx(best, rel=1e-8)
    assert min(values[1:]) >= best * (1 - 1e-9)
    for option in found:
        assert all(set(p.path) <= built.allowed[p.model] for p in option.window)
    nodes = provisioned_nodes(built, ranges, goal)
    sources = [(location[r.model],) for r in ranges]
    assert relaxed_window_bound(built, ranges, sources, nodes, goal) <= best * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_random_constrained_schedules_equal_brute_force(seed: int) -> None:
    models = len(random_schedule_problem(np.random.default_rng(seed))[0].models)
    text = random_constraints(np.random.default_rng([seed, 2]), models, 4)
    built, windows = random_schedule_problem(np.random.default_rng(seed), model_chiplets=text)
    goal = Goal(NAMES[seed % 3])
    try:
        known = known_value(built, windows, goal)
    except DeadEndError:
        known = np.inf
    try:
        best = brute_force_of_schedules(built, windows, goal)
    except ValueError:  # no schedule at all
        assert known == np.inf
        return
    found = search_jointly(built, windows, goal, known, budget=10**8)
    ours = known
    if found.schedule is not None:
        validate(found.schedule, built)
        latency, energy, *_ = Scorer(built).score(found.schedule)
        ours = goal.one(latency, energy)
    assert found.proven
    assert ours == pytest.approx(best, rel=1e-8)
    assert relaxed_bound(built, windows, goal) <= best * (1 + 1e-9)
    bounds = lower_bounds(built)
    assert goal.one(bounds.latency_s, bounds.energy_j) <= best * (1 + 1e-9)


def test_a_dead_end_is_turned_back_from() -> None:
    # One start (chiplet 0) in a row of three. In window 2 model b, which may use chiplets 1 and 2 alone, can start only
    # where a ended: the best mapping of window 1 leaves a on chiplet 0, the one that was found ends on chiplet 1 or 2.
    row = package(1, 3, sides=("left",))
    built = tables({"a": [[1, 1], [90, 90]], "b": [[1], [1]]}, {"model_chiplets": "b: 1 2"}, on=row)
    windows = ((LayerRange(0, 0, 2),), (LayerRange(1, 0, 1),))
    for search in (search_window, search_window_exactly):
        trajectory = search_greedily(built, windows, Goal("edp"), search=search)
        validate(trajectory.schedule, built)
        assert trajectory.schedule.windows[0][0].path == (0, 1)
    proof = trajectory.windows[0].proof
    assert proof is not None and not proof.proven


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="GPT-LUNet ab:;,0123456789cCnot\n", max_size=60))
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    try:
        found = parse_model_chiplets(text, TITLES, 9)
    except ProblemError as error:
        found, field = (), error.field
    else:
        field = ""
    assert len(found) == 3 or field == "params.model_chiplets"
    assert all(chiplets and chiplets <= set(range(9)) for chiplets in found)


def test_constraints_hold_on_large_packages() -> None:
    times = [[2.0, 5.0, 3.0] * 2, [3.0, 1.0, 4.0] * 2]
    params = {"model_chiplets": "0: 0 1 5 6; 1: not 0-9; 2: 4", "n_splits": 1}
    built = tables({"a": times, "b": times, "c": times}, params, on=package(4, 5), batch=4)
    windows, goal = assign_windows(built, 1), Goal("edp")
    random = np.random.default_rng(1)
    for search in (search_window_exactly, whole(evolutionary_search(10, 4, random)), search_window):
        found = search_greedily(built, windows, goal, search=search)
        validate(found.schedule, built)
        assert all(set(p.path) <= built.allowed[p.model] for window in found.schedule.windows for p in window)
        assert found.value(goal) >= relaxed_bound(built, windows, goal)
