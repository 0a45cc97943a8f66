"""Sentences about runs of a study that have no value or take no part in its statistics. No callbacks."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.figures.numbers import in_sentence, integer, many
from webapp.runs.models import Run
from webapp.studies.statistics import HYPERVOLUME, Group, StudyStatistics
from webapp.studies.values import RunRow

_MOST_NUMBERS = 10


def missing_sentences(found: StudyStatistics, titles: Sequence[str]) -> list[str]:
    """Return a sentence or two per group with such runs, and how tests and medians treat them."""
    sentences = []
    for group, title in zip(found.groups, titles, strict=True):
        parts = [part for part in (_nothing(group), _valueless(group, found), *_others(group)) if part]
        if parts:
            sentences.append(f"{title}: " + " ".join(parts))
    if any(group.found_nothing for group in found.groups):
        sentences.append(
            "A run without a design within the limits counts with hypervolume 0, in the tests and in the medians."
            if found.measure == HYPERVOLUME
            else "A run without a design within the limits counts as worse than every run with one in the "
            "tests. Medians, quartiles and dots show the runs with a value."
        )
    return sentences


def _nothing(group: Group) -> str:
    runs = group.found_nothing
    words = f"{integer(len(runs))} of {many(len(group.runs), 'run')} found no design within the limits"
    return f"{words} ({numbers(runs)})." if runs else ""


def _valueless(group: Group, found: StudyStatistics) -> str:
    runs = [each.run for each in group.runs if each.value is None and not each.found_nothing]
    return f"No value of {in_sentence(found.measure.title)}: {numbers(runs)}." if runs else ""


def _others(group: Group) -> list[str]:
    """Return the runs that take no part, by what became of them."""
    kinds = (("Failed", Run.Status.FAILED), ("Stopped", Run.Status.STOPPED))
    ended = [(word, [run for run in group.others if run.status == status]) for word, status in kinds]
    words = [f"{word} and left out: {numbers(runs)}." for word, runs in ended if runs]
    active = sum(run.active for run in group.others)
    return [*words, *([f"Queued or running: {integer(active)}."] if active else [])]


def numbers(runs: Sequence[RunRow]) -> str:
    """Return the numbers of runs: "run 0012" or "runs 0012, 0014"."""
    shown = ", ".join(f"{run.pk:04d}" for run in runs[:_MOST_NUMBERS])
    more = f" and {integer(len(runs) - _MOST_NUMBERS)} more" if len(runs) > _MOST_NUMBERS else ""
    return f"run{'s' if len(runs) > 1 else ''} {shown}{more}"
