"""The preview of a read-only link: the answers of its runs with their certainty, for what fetches pages without scripts."""

from __future__ import annotations

from frontend.designs.answer import answer_of
from frontend.designs.run_words import engine_title
from frontend.figures.numbers import NO_BREAK, many
from frontend.pages.run.run_reader import bounds_of, designs_of
from webapp.runs.models import Run
from webapp.runs.service import visible_runs
from webapp.sharing.service import OpenLink, opened_rows
from webapp.teams.permissions import Guest

_MOST_RUNS = 2


def describe_link(opened: OpenLink) -> str:
    """Return the answer of the run that a link opens, or of the first runs of what it opens; only what the link itself opens."""
    runs = visible_runs(Guest(opened_rows([opened]))).order_by("pk")
    shown, count = list(runs[:_MOST_RUNS]), runs.count()
    if count == 1:
        return answer_sentence(shown[0])
    more = [f"{many(count - len(shown), 'more run')}."] if count > len(shown) else []
    return " ".join([*(f"{run.title}: {answer_sentence(run)}" for run in shown), *more]) or "No runs yet."


def answer_sentence(run: Run) -> str:
    """Return the result of a run and how certain it is, in one line."""
    designs = designs_of(run)
    answer = answer_of(designs, bounds_of(run, designs), unfinished=run.status != "done")
    if answer is None:
        return f"A run of {engine_title(run.engine)}, without designs so far."
    certainty = designs.quantity(designs.primary, designs.best(designs.primary)).certainty
    # The sign stays on the line of its word.
    return f"{answer.result} Certainty: {certainty.label.replace(' ', NO_BREAK, 1)}." if certainty else answer.result
