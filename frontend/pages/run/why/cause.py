"""The cause that the answer of a run names: the largest part of its best design, as the tab that says why has it."""

from __future__ import annotations

from engines.contract.errors import EngineError
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import engine_of
from frontend.pages.run.run_reader import explained
from frontend.pages.run.why.metric_parts import cause_sentence, compared, counts_of, offered_columns
from webapp.runs.models import Run


def cause_of(run: Run, designs: RunDesigns) -> str:
    """Return the largest cause of the best design's cost; "" if the engine reports none or could not be called."""
    number = designs.best(designs.primary)
    offered = offered_columns(engine_of(run.engine), designs)
    # A product of objectives has no parts: those of the first objective that has causes stand for it.
    columns = [designs.primary] if designs.primary in offered else list(offered)
    causes = [each for column in columns for each in offered[column] if each.along == "parts"]
    if number is None or not causes:
        return ""
    try:
        results = explained(run, number)
        parts = compared(causes[0], results, ())
    except (EngineError, LookupError):
        return ""
    return cause_sentence(parts, designs.quantity(causes[0].column), counts_of(causes[0], results))
