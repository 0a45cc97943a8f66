from __future__ import annotations

import numpy as np

from frontend.ids.run import RunIds
from frontend.ids.why import WhyIds
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.why.changes_view import changes_card, population_of
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import values
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_single_changes_are_tried_in_a_process_of_their_own(people: People, run: Run, ask: Ask) -> None:
    given = {f"{WhyIds.TRY}.n_clicks": 1, f"{WhyIds.TALLY}.data": {}, f"{WhyIds.FOR}.value": "energy_j"}
    found = ask(people.viewer, f"{WhyIds.CHANGES}.children", values(run, **given), f"{WhyIds.TRY}.n_clicks").json()[
        "response"
    ]
    tally = found[WhyIds.TALLY]["data"]
    assert tally["next"] > 0 and tally["design"] == 3 and tally["rows"]
    assert "Best for energy" in str(found[WhyIds.CHANGES]["children"])
    ranked = {f"{WhyIds.TALLY}.data": tally, f"{WhyIds.FOR}.value": "latency_s", f"{RunIds.RUN}.data": run.pk}
    # The same answer for another figure asks no process.
    again = ask(people.viewer, f"{WhyIds.CHANGES}.children@", values(run, **ranked), f"{WhyIds.FOR}.value").json()
    assert "for latency" in str(again) or "makes latency better" in str(again)


def test_entries_come_from_the_front_and_a_sample_of_designs_that_keep_the_limits(run: Run) -> None:
    designs = designs_of(run)
    population = population_of(designs)
    assert list(population.front) == designs.front.tolist()
    assert set(designs.front.tolist()) <= set(population.others)
    assert bool(np.all(designs.feasible[np.array(population.others)]))


def test_the_card_offers_the_figures_that_a_change_may_help(run: Run) -> None:
    content = str(changes_card(designs_of(run)))
    assert "hidden=True" in content, "nothing runs yet that could be stopped"
    assert "Try changes" in content and "energy_j" in content and "latency_s" in content
