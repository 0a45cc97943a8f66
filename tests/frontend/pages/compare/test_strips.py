from __future__ import annotations

from dataclasses import replace
from typing import Any

from frontend.components.pictures.legend import model_legend
from frontend.components.static_html import static_html
from frontend.pages.compare.data import Strip, sides_of
from frontend.pages.compare.strips import strip_rows, strips_legend
from tests.frontend.figures.samples import sample_schedule
from tests.support.stored_runs import People
from webapp.comparisons.service import Entry


def test_the_legend_names_the_models_of_every_workload(people: People, runs: list[Any]) -> None:
    """Colours follow the order of a workload's models: one legend for two workloads would name the wrong ones."""
    sides = sides_of([Entry(run) for run in runs])
    one = sample_schedule()
    other = replace(one, models=tuple(f"other {model}" for model in one.models))
    shared = static_html(strips_legend([Strip(side, schedule=one) for side in sides]))
    assert shared.count("run-letter") == 0 and shared.count(one.models[0]) == static_html(
        model_legend(one.models)
    ).count(one.models[0])
    apart = static_html(strips_legend([Strip(sides[0], schedule=one), Strip(sides[1], schedule=other)]))
    assert apart.count("run-letter") == 2
    assert all(model in apart for model in (*one.models, *other.models))


def test_schedules_are_drawn_in_windows_that_are_hardly_wider_than_a_grid(people: People, runs: list[Any]) -> None:
    strips = [Strip(side, schedule=sample_schedule()) for side in sides_of([Entry(run) for run in runs])]
    rows = [row.to_plotly_json() for row in strip_rows(strips, "light", width_px=356)]
    assert str(rows).count("Arrow keys move the time cursor") == len(runs)
