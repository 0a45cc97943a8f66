"""Fixes for inputs that do not fit the engine of a draft: the default documents, or a button that mends them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engines.contract.engine import Engine
from frontend.components.form import field_specs
from frontend.pages.drafts import Draft, fresh_draft
from frontend.pages.new.summary import Entries, Judgement, input_titles, judge
from webapp.teams.visibility import Principal

INPUTS = "inputs"
# After that no other draft is tried: each may take the limited child half a minute, and a callback holds a thread for as long.
_TRIALS_S = 10.0


@dataclass(frozen=True)
class Mend:
    """One way to make a refused draft run, tried before it is offered.

    Attributes:
        field: "params.<name>", "inputs.<slot>", or "inputs" for all of the engine's own documents.
        value: new value of the field; "" for "inputs".
        title: title of the button. words: what it is about.
    """

    field: str
    value: str
    title: str
    words: str


class _Trials:
    """Judges drafts for one callback until its time is over or the site is busy."""

    def __init__(self, principal: Principal, engine: Engine) -> None:
        self._principal, self._engine = principal, engine
        self._until = time.monotonic() + _TRIALS_S

    def judge(self, draft: Draft) -> Judgement | None:
        """Return the next fix; None if no further one can be found now."""
        if time.monotonic() >= self._until:
            return None
        found = judge(self._principal, draft, self._engine)
        if found.busy:
            self._until = 0.0
            return None
        return found


def fitted_draft(
    principal: Principal, engine: Engine, entries: Entries, wanted: Mapping[str, str], titles: Mapping[str, str]
) -> tuple[Draft, str]:
    """Return a draft for an engine with as many of the wanted documents as it can run, and one sentence on those that it cannot.

    Args:
        principal: who asks.
        engine: whose slots to fill.
        entries: slot -> documents of a kind that fits.
        wanted: slot -> document chosen so far, for another engine.
        titles: slot -> its title.
    """
    draft, judged = _fitting(principal, engine, entries, wanted)
    lost = [slot for slot, chosen in wanted.items() if slot in engine.inputs and draft.inputs.get(slot) != chosen]
    if not lost:
        return draft, ""
    now = input_titles(draft, entries)
    names = " and ".join(titles.get(slot, wanted[slot]) for slot in lost)
    instead = " and ".join(now[slot] for slot in lost if slot in now)
    why = f": {judged}" if judged else ""
    verb = "do" if len(lost) > 1 else "does"
    place = f" Chosen instead: {instead}." if instead else ""
    return draft, f"{names} {verb} not fit {engine.title}{why}.{place}"


def _fitting(principal: Principal, engine: Engine, entries: Entries, wanted: Mapping[str, str]) -> tuple[Draft, str]:
    """Return the draft, and why what was wanted would not do where the engine itself says so."""
    available = {slot: [entry.name for entry in found] for slot, found in entries.items()}
    draft, usual = fresh_draft(engine, available, wanted), fresh_draft(engine, available, {})
    if draft == usual:
        return draft, ""
    trials = _Trials(principal, engine)
    judged = trials.judge(draft)
    if judged is None or not _faults(judged):
        return draft, ""
    own = trials.judge(usual)
    if own is None or _faults(judged) <= (worst := _faults(own)):
        return draft, ""  # what could not be compared is kept; the page says what is wrong with it
    why = _why(judged)
    for slot in _kept(draft, usual):  # one document for another, if that is enough
        inputs = {name: chosen for name, chosen in wanted.items() if name != slot}
        candidate = fresh_draft(engine, available, inputs)
        found = trials.judge(candidate)
        if found is None:
            break
        if _faults(found) <= worst:
            return candidate, why
    return usual, why


def _faults(judgement: Judgement) -> float:
    """Return the number of failed checks of a draft, infinite for a refused one."""
    if judgement.plan is None:
        return float("inf")
    return sum(not check.ok for check in judgement.plan.checks)


def _kept(draft: Draft, usual: Draft) -> list[str]:
    """Return the slots whose documents are not the engine's own; the workload first, which most often does not fit."""
    found = [slot for slot, chosen in draft.inputs.items() if usual.inputs.get(slot) != chosen]
    return sorted(found, key=lambda slot: slot != "workload")


def _why(judgement: Judgement) -> str:
    """Return the engine's message on one mistake."""
    if judgement.plan is not None:
        words = next((check.text for check in judgement.plan.checks if not check.ok), "")
    else:
        words = judgement.got or judgement.other or next(iter(judgement.slots.values()), "")
    return words.rstrip(".")


# -- refusals ---------------------------------------------------------------------------------------------------------


def mends(principal: Principal, draft: Draft, engine: Engine, entries: Entries, judgement: Judgement) -> list[Mend]:
    """Return the ways to make a refused draft run: what the refusal names, then the engine's own documents. Each has been tried.

    Those that there was no time to try are left out.
    """
    if judgement.plan is not None or not judgement.refused:
        return []
    trials, found = _Trials(principal, engine), []
    for mend in (*_by_parameter(engine, judgement), *_by_document(draft, engine, entries)):
        judged = trials.judge(mended(draft, engine, entries, mend.field, mend.value))
        if judged is None:
            break
        if judged.ready:
            found.append(mend)
    return found


def mended(draft: Draft, engine: Engine, entries: Entries, field: str, value: str) -> Draft:
    """Return `draft` with what a mend changes; as it was where there is no such field."""
    head, _, name = field.partition(".")
    if head == "params" and name in engine.Params.model_fields:
        return replace(draft, params={**draft.params, name: value})
    if head == INPUTS and name in engine.inputs:
        return replace(draft, inputs={**draft.inputs, name: value})
    return replace(draft, inputs=_usual(engine, entries).inputs) if field == INPUTS else draft


def _by_parameter(engine: Engine, judgement: Judgement) -> Iterator[Mend]:
    specs = {spec.name: spec for spec in field_specs(engine.Params)}
    for _, field, value in judgement.remedies:
        spec = specs.get(field.removeprefix("params."))
        if spec is not None:
            shown = next((words for choice, words in spec.choices if choice == value), str(value))
            yield Mend(field, str(value), f"Choose “{shown}”", spec.title)


def _by_document(draft: Draft, engine: Engine, entries: Entries) -> Iterator[Mend]:
    usual = _usual(engine, entries)
    other = _kept(draft, usual)
    titles = input_titles(usual, entries)
    for slot in other:
        if slot in usual.inputs:
            yield Mend(f"{INPUTS}.{slot}", usual.inputs[slot], f"Take {titles[slot]}", engine.inputs[slot].title)
    if len(other) > 1:
        yield Mend(INPUTS, "", "Use default inputs", "All inputs")


def _usual(engine: Engine, entries: Entries) -> Draft:
    return fresh_draft(engine, {slot: [entry.name for entry in found] for slot, found in entries.items()}, {})
