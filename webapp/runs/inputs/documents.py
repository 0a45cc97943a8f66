"""The problem document that browser, CLI, API and notebook exchange, read against the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Engine, Problem
from engines.contract.errors import EngineError, ProblemError, UnknownEngineError
from engines.documents.accepted_documents import accepted_words
from engines.documents.problems import require_version
from engines.registry import engine_names, get_engine
from engines.running.time_limits import read_minutes
from hardware.errors import MOST_LETTERS
from webapp.runs.inputs import planning
from webapp.runs.inputs.measurement_hooks import read_measure
from webapp.teams.visibility import Principal

KEYS = ("engine", "version", "inputs", "params", "seed", "stop_after_minutes", "measure", "title", "project")


def problem_from_document(principal: Principal, document: Mapping[str, Any]) -> Problem:
    """Return the checked problem that `document` describes, with documents that `principal` may see.

    Args:
        principal: who asks.
        document: {"engine", "inputs": {slot: slug | {"slug", "version", "hash"}}, "params", "seed", "version",
            "stop_after_minutes", "measure"}; all but the engine and its required inputs may be left out.

    Raises:
        ProblemError: with the field that is wrong, what was got and what is accepted.
    """
    if not isinstance(document, Mapping):
        raise ProblemError("problem", type(document).__name__, "a mapping with the keys " + ", ".join(KEYS))
    for key in document:
        if key not in KEYS:
            raise ProblemError(str(key), document[key], "one of the keys " + ", ".join(KEYS))
        check_texts(str(key), document[key])
    check_names(document)
    read_minutes(document.get("stop_after_minutes"))
    name = document.get("engine")
    try:
        engine = get_engine(name if isinstance(name, str) else "")
    except UnknownEngineError as error:
        raise ProblemError("engine", name, f"one of {', '.join(engine_names())}") from error
    read_measure(principal, engine, document.get("measure"))
    inputs = _resolve_inputs(principal, engine, document.get("inputs") or {})
    problem = planning.checked_problem(engine, inputs, document.get("params") or {}, document.get("seed", 0))
    if document.get("version") is not None:
        require_version(problem, document["version"])
    return problem


def check_names(document: Mapping[str, Any]) -> None:
    """Refuse a title or project of a document that is no text, or long.

    Raises:
        ProblemError: names the field.
    """
    for name in ("title", "project"):
        value = document.get(name)
        # YAML reads a title such as 2026 as a number.
        if value is not None and not (isinstance(value, str | int | float) and len(str(value)) <= MOST_LETTERS):
            raise ProblemError(name, value, f"text of at most {MOST_LETTERS} characters")


def check_texts(field: str, value: Any) -> None:
    """Refuse what no database stores: NUL characters and halves of surrogate pairs, however deep."""
    if isinstance(value, str):
        if not storable(value):
            raise ProblemError(field, repr(value)[:200], "text without NUL characters and lone surrogates")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            check_texts(field, key)
            check_texts(f"{field}.{key}", item)
    elif isinstance(value, list | tuple):
        for item in value:
            check_texts(field, item)


def storable(text: str) -> bool:
    """Return whether every database stores the text: no NUL character, no half of a surrogate pair."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _resolve_inputs(principal: Principal, engine: Engine, given: Any) -> dict[str, Document]:
    if not isinstance(given, Mapping):
        raise ProblemError("inputs", given, "a mapping of inputs to slugs")
    found: dict[str, Document] = {}
    for slot, reference in given.items():
        if slot not in engine.inputs:
            names = ", ".join(sorted(engine.inputs)) or "(none)"
            raise ProblemError(f"inputs.{slot}", slot, f"one of the inputs {names}")
        if reference in (None, ""):
            continue
        found[slot] = _resolve(principal, engine, slot, reference)
    for slot, kind in engine.inputs.items():
        if kind.required and slot not in found:
            raise ProblemError(f"inputs.{slot}", None, accepted_in_catalogue(principal, engine, slot))
    return found


def names_that_fit(principal: Principal, engine: Engine, slot: str) -> list[str]:
    """Return the names of catalogue documents that fit an input of an engine, in the form that `principal` may use."""
    from webapp.catalogue.service import list_documents

    kind = engine.inputs[slot]
    return [entry.name for entry in list_documents(principal, kind.kind, kind.schemas)]


def accepted_in_catalogue(principal: Principal, engine: Engine, slot: str) -> str:
    """Return the documents that an input accepts, for an error: some names, and the command that lists all."""
    kind = engine.inputs[slot]
    rest = f"paretoscope documents {kind.kind} --engine {engine.name}"
    return accepted_words(kind, names_that_fit(principal, engine, slot), rest)


def _resolve(principal: Principal, engine: Engine, slot: str, reference: Any) -> Document:
    from webapp.catalogue.service import UnknownDocumentError, resolve

    kind = engine.inputs[slot].kind
    wanted: Any = {"slug": reference} if isinstance(reference, str) else reference
    if not isinstance(wanted, Mapping) or not isinstance(wanted.get("slug"), str):
        raise ProblemError(f"inputs.{slot}", reference, 'a slug, or a mapping such as {"slug": ..., "version": ...}')
    version = wanted.get("version")
    if version is not None and (not isinstance(version, int) or isinstance(version, bool)):
        raise ProblemError(f"inputs.{slot}.version", version, "the number of a version, or nothing for the newest one")
    try:
        document = resolve(principal, kind, wanted["slug"], version)
    except UnknownDocumentError as error:
        raise ProblemError(f"inputs.{slot}", error.got, accepted_in_catalogue(principal, engine, slot)) from error
    except ProblemError as error:
        raise ProblemError.of(error, f"inputs.{slot}") from error
    if "hash" in wanted and wanted["hash"] != document.content_hash():
        ways = ["Leave the hash out to use the content of this site."]
        accepted = f"{document.content_hash()}, the content of that version"
        raise ProblemError(f"inputs.{slot}.hash", wanted["hash"], accepted, remedies=ways)
    return document


def default_title(problem: Problem) -> str:
    """Return the engine and its inputs in words, for a run that nobody named."""
    names = [str(document.content.get("title") or document.slug) for _, document in sorted(problem.inputs.items())]
    try:
        engine_title = get_engine(problem.engine).title
    except EngineError:
        engine_title = problem.engine
    return " · ".join([engine_title, *names])[:200]
