"""The initial draft of the New run page: the one named in the address, with documents that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dash.development.base_component import Component

from engines.contract.engine import Engine, InputKind
from engines.contract.errors import EngineError, ProblemError
from engines.registry import engine_names, get_engine, installed_engines
from frontend.designs.run_words import engine_of
from frontend.pages.asked_number import asked_number
from frontend.pages.drafts import Draft, draft_of_document, fresh_draft
from frontend.pages.new.chooser import MOST_RECENT, chooser
from frontend.pages.new.sections import Entries
from frontend.pages.new.summary import title_of
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.why.changes_view import population_of
from webapp.catalogue.service import DocumentEntry, get_entry, list_documents
from webapp.runs.models import Run
from webapp.runs.results.design_variants import try_edit
from webapp.runs.service import engines_of_late, get_run, start_from
from webapp.teams.visibility import Principal


def opening_draft(principal: Principal, query: dict[str, str]) -> tuple[Draft, str]:
    """Return the draft that an address asks for, and the title to put in (empty for the default one).

    `from` names a run to start from; `choose` also names a slot whose document the person chooses anew, and `with` one of its
    designs that the new run is to take up.

    Raises:
        NotVisible: `from` names a run that `principal` may not see.
    """
    if query.get("from"):
        run = get_run(principal, query["from"])
        method = engine_of(run.engine)
        if method:
            draft = without(draft_of_document(start_from(run), parent=run.pk), query.get("choose", ""))
            # Other documents than the run's, named by slot: "run again on the hardware that was kept".
            others = {slot: query[slot] for slot in method.inputs if query.get(slot)}
            params = {**draft.params, **_taking_up(run, query.get("with"))}
            draft = replace(draft, inputs={**draft.inputs, **others}, params=params)
            # A title that was made from the inputs is made again: it would name the wrong ones after a change.
            made = title_of(draft, method, entries_of(principal, method, draft.inputs))
            return draft, "" if run.title == made or query.get("choose") else run.title
    engine = asked_engine(query)
    entries = entries_of(principal, engine, query)
    return fresh_draft(engine, {slot: [entry.name for entry in found] for slot, found in entries.items()}, query), ""


def _taking_up(run: Run, number: str | None) -> Mapping[str, Any]:
    """Return the parameters by which a new run takes up a design of another.

    None where there is no such design, or no such parameter.
    """
    design = asked_number(number)
    if design is None:
        return {}
    try:
        return try_edit(run, design, (), lambda: population_of(designs_of(run))).params
    except (LookupError, EngineError):
        return {}


def without(draft: Draft, slot: str) -> Draft:
    """Return the draft with nothing in that slot."""
    return replace(draft, inputs={name: value for name, value in draft.inputs.items() if name != slot})


def asked_engine(query: dict[str, str]) -> Engine:
    """Return the engine named in the address; the first one on offer if it does not exist."""
    return get_engine(query["engine"]) if query.get("engine") in engine_names() else installed_engines()[0]


def offered(principal: Principal, engine: Engine, *, unfolded: bool = False) -> Component:
    """Return the engine of a draft and a list of all others, the ones last used by `principal` first."""
    return chooser(engine, installed_engines(), engines_of_late(principal, MOST_RECENT), unfolded=unfolded)


def entries_of(principal: Principal, engine: Engine, chosen: Mapping[str, str] | None = None) -> Entries:
    """Return slot -> documents that fit, as far as `principal` sees them.

    Args:
        principal: who asks.
        engine: whose slots.
        chosen: slot -> name; a document that lists do not show (a language model of any length, a retired one) is added where it
            is chosen.
    """
    entries = {slot: list_documents(principal, kind.kind, kind.schemas) for slot, kind in engine.inputs.items()}
    for slot, found in entries.items():
        name = (chosen or {}).get(slot, "").partition("@")[0]
        if name and name not in {entry.name for entry in found}:
            found += _unlisted(principal, engine.inputs[slot], name)
    return entries


def _unlisted(principal: Principal, kind: InputKind, name: str) -> list[DocumentEntry]:
    try:
        entry = get_entry(principal, kind.kind, name)
    except ProblemError:
        return []
    return [entry] if (entry.builtin or entry.retired) and kind.takes(entry.kind, entry.schema) else []
