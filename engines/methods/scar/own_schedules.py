"""Schedules of one's own as text: the decision of one, as pages and files have it, or a JSON list of several."""

from __future__ import annotations

import json

from engines.chiplets.problem.decision import PackageSchedule, decode, encode, validate
from engines.contract.errors import DecisionError, ProblemError
from engines.methods.scar.course.report import Scorers

FIELD = "params.own_schedules"
MOST = 20


def own_schedules(text: str, scorers: Scorers) -> tuple[tuple[str, PackageSchedule], ...]:
    """Return the names and schedules, each for the package as it is given or for one of its variants.

    Raises:
        ProblemError: the text is no JSON of that kind, or one of them is no schedule of the problem.
    """
    if not text.strip():
        return ()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProblemError(FIELD, text[:80], "a decision as JSON, or a list of some") from error
    decisions = given if isinstance(given, list) else [given]
    if len(decisions) > MOST:
        raise ProblemError(FIELD, len(decisions), f"at most {MOST} schedules")
    found = []
    for number, decision in enumerate(decisions):
        try:
            schedule = decode(decision)
            validate(schedule, scorers.tables(schedule))
        except DecisionError as error:
            place = error.field.removeprefix("decision").lstrip(".")
            raise ProblemError.of(error, f"{FIELD}.{number}.{place}".rstrip(".")) from error
        found.append(("Own schedule" if len(decisions) == 1 else f"Own schedule {number + 1}", schedule))
    return tuple(found)


def with_another(text: str, schedule: PackageSchedule) -> str:
    """Return the text with one more schedule."""
    given = json.loads(text) if text.strip() else []
    decisions = [*(given if isinstance(given, list) else [given]), encode(schedule)]
    return json.dumps(decisions, separators=(",", ":"))
