"""The convergence tab: what of a run's own results it shows, and in which order."""

from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.quantities import SHARE, Quantity
from engines.contract.results import HYPERVOLUME, Curve, Note, ResultRole, Series
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.tabs.convergence import convergence_cards, hypervolume_shown, known_values, of_convergence
from tests.frontend.designs.samples import QUANTITIES, table
from webapp.runs.results.curves import Convergence

X = np.array([1.0, 2.0])
VIEWPORT = {"width": 1440, "height": 900}


def curve(name: str, x_title: str, role: ResultRole = "", belongs_to: str = "") -> Curve:
    return Curve(name, name, X, x_title, "", (Series("a", X, "%"),), role=role, belongs_to=belongs_to)


def test_roles_decide_and_not_the_titles_of_axes_or_names() -> None:
    told = [curve("loss", "Epochs", "progress"), Note("checked", "Exact", "All was looked at.", role="proof")]
    others = [curve("sizes", "Epochs"), Note("proof", "Proof", "Not one.")]
    assert of_convergence({each.name: each for each in (*told, *others)}) == told


def test_what_belongs_to_the_hypervolume_stands_behind_it_and_other_progress_first() -> None:
    steps = Convergence(*(np.array([1.0, 2.0]) for _ in range(len(Convergence.__dataclass_fields__))))  # type: ignore[arg-type]
    designs = RunDesigns.empty((Quantity("latency_s", "Latency", "s", "minimise", "objective"),), "latency_s")
    own = [curve("share", "Scored", "progress", HYPERVOLUME), curve("loss", "Epochs", "progress")]
    cards = convergence_cards(1, steps, designs, "light", VIEWPORT, "linear", own=own)
    assert [card.name for card in cards] == ["run:loss", "Hypervolume", "run:share"]


def test_a_bound_of_what_is_maximised_is_an_upper_one() -> None:
    quantities = (
        Quantity("latency_s", "Latency", "s", "minimise", "objective"),
        Quantity("life_h", "Life", "h", "maximise", "objective"),
    )
    designs = RunDesigns.empty(quantities, "latency_s")
    assert known_values(designs, {"latency_s": 0.5, "life_h": 9.0}) == {
        "Best latency": ("lower bound", 0.5),
        "Best life": ("upper bound", 9.0),
    }


def test_a_hypervolume_whose_unit_nobody_could_read_is_a_share_of_its_box() -> None:
    quantities = (
        Quantity("accuracy_percent", "Accuracy", "%", "maximise", "objective"),
        Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    )
    columns = {"accuracy_percent": np.array([60.0, 80.0]), "latency_s": np.array([1e-3, 3e-3])}
    found = Designs(columns, [{}, {}], origin=("search", "search"))
    designs = RunDesigns.empty(quantities, "latency_s").extended(found)
    facts = {name: np.array([1.0, 2.0]) for name in Convergence.__dataclass_fields__}
    steps = Convergence(**{**facts, "hypervolume": np.array([0.04, 0.1]), "reference": np.array([40.0, 6e-3])})  # type: ignore[arg-type]
    shares, unit, words = hypervolume_shown(steps, designs)
    np.testing.assert_allclose(shares, [0.2, 0.5])  # of 40 % x 5 ms
    assert unit == SHARE and words.startswith("Share of the space between") and "Reference point: accuracy 40" in words
    before, _, _ = hypervolume_shown(steps, designs.first(1))  # a live page that has not shown the second design yet
    np.testing.assert_array_equal(np.isnan(before), [False, True])


def test_what_of_the_front_lies_beyond_the_reference_of_an_older_run_is_told() -> None:
    designs = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 2.0, 3.0, 3.0], [4.0, 3.0, 2.0, 2.0]))
    facts = {name: np.array([1.0, 2.0]) for name in Convergence.__dataclass_fields__}
    for reference, told in (
        ((9.0, 9.0), ""),
        ((9.0, 4.0), ". 2 of 3 points of the front lie within it; the others add nothing"),
    ):
        steps = Convergence(**{**facts, "reference": reference})  # type: ignore[arg-type]
        words = hypervolume_shown(steps, designs)[2]
        assert words.partition("J")[2] == told
