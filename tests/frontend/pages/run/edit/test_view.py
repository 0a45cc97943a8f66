from __future__ import annotations

from frontend.pages.run.edit.view import edited_content, kept_content, said_words
from frontend.pages.run.run_reader import designs_of
from webapp.runs.models import Run
from webapp.runs.results.design_variants import DesignEdit
from webapp.runs.results.own_designs import KeptDesign


def edited(run: Run, **given: object) -> DesignEdit:
    values = {**designs_of(run).values_of(3), "latency_s": 0.5}
    return DesignEdit((), values, {}, **{"taken": 1, "told": ("Block: 3",), **given})  # type: ignore[arg-type]


def test_the_change_is_said_with_what_was_moved(run: Run) -> None:
    designs = designs_of(run)
    assert said_words(designs, 3, edited(run), 1).startswith("Block: 3. In all: Latency")
    assert said_words(designs, 3, edited(run, why_not="a free chiplet."), 2) == "Not possible: it needs a free chiplet."


def test_the_gap_to_what_is_proven_stands_before_and_after(run: Run) -> None:
    shown = str(edited_content(run, designs_of(run), 3, edited(run), {"latency_s": 0.25}, None, True))
    assert "Proven bound on latency" in shown and "50" in shown
    assert "Proven bound" not in str(edited_content(run, designs_of(run), 3, edited(run), {}, None, True))


def test_a_run_that_may_go_on_keeps_none(run: Run) -> None:
    run.status = Run.Status.RUNNING
    shown = str(edited_content(run, designs_of(run), 3, edited(run), {}, None, True))
    assert "once it is done" in shown and "disabled=True" in shown


def test_a_new_exploration_takes_up_a_stored_design_where_the_method_has_a_parameter_for_it(run: Run) -> None:
    def shown(**given: object) -> str:
        return str(edited_content(run, designs_of(run), 3, edited(run, **given), {}, None, True))

    way = f"/new?from={run.pk}&with=3"
    assert way in shown(taken=0, told=(), params={"own": "x"})
    assert way not in shown(taken=0, told=()) and way not in shown(params={"own": "x"})
    assert way in str(kept_content(run, KeptDesign(3, "By hand 1", True, True)))
    assert way not in str(kept_content(run, KeptDesign(3, "By hand 1", True)))
