"""The convergence tab: what of a run's own results it shows, and in which order."""

from __future__ import annotations

import numpy as np

from engines.contract.quantities import Quantity
from engines.contract.results import HYPERVOLUME, Curve, Note, ResultRole, Series
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.tabs.convergence import convergence_cards, known_values, of_convergence
from webapp.runs.curves import Convergence

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
