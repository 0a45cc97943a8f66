"""Dependencies of a report, and their changes since it was written: runs, documents, engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from django.db.models import Q

from engines.contract.errors import EngineError
from engines.contract.integer_format import counted, many
from engines.documents.builtin import builtin_documents
from engines.registry import get_engine
from hardware.family import DocumentKind
from webapp.catalogue.models import DocumentVersion
from webapp.deletions.service import deleted_among
from webapp.reports.models import ReportVersion
from webapp.reports.service import runs_of, state_of
from webapp.runs.models import Run, RunInput
from webapp.teams.visibility import Principal, visible


@dataclass(frozen=True)
class Since:
    """A change since the report was written: the run that changed, and a sentence without its full stop."""

    run: int
    words: str


def changed_since(principal: Principal, version: ReportVersion) -> list[Since]:
    """Return run -> changes since a version was written, with a constant number of queries."""
    numbers = [int(number) for number in version.pins]
    runs = runs_of(principal, numbers)
    inputs: dict[int, list[RunInput]] = {}
    for item in RunInput.objects.filter(run__in=runs).defer("content").order_by("slot"):
        inputs.setdefault(item.run_id, []).append(item)
    newest = _newest(principal, [item for each in inputs.values() for item in each])
    gone = {each.number: each for each in deleted_among(principal, "run", numbers)}
    found: list[Since] = []
    for number in numbers:
        run = runs.get(number)
        if run is None:
            words = (
                f"It was deleted on {gone[number].at:%Y-%m-%d %H:%M} UTC, and can be restored" if number in gone else ""
            )
            found.append(Since(number, words or "It is deleted, or you cannot see it"))
            continue
        found += _of_run(run, version.pins[str(number)])
        found += _of_documents(run, inputs.get(number, []), newest)
    return found


def _of_run(run: Run, pin: Mapping[str, int]) -> Iterator[Since]:
    now = state_of(run)
    if now != dict(pin):
        words = f"It has more designs: {many(pin['designs'], 'design')} then, {counted(now['designs'])} now"
        yield Since(run.pk, words)
    try:
        installed = get_engine(run.engine).version
    except EngineError:
        yield Since(run.pk, f"Its engine {run.engine} is no longer installed, so it cannot be repeated here")
        return
    if installed != run.engine_version:
        made = f"Version {run.engine_version} of the engine {run.engine} made it; version {installed} is installed"
        yield Since(run.pk, f"{made} and may give other values")


Newest = Mapping[tuple[str, str], list[tuple[int, int, str]]]


def _newest(principal: Principal, items: Iterable[RunInput]) -> Newest:
    """Return kind and slug -> (document, number, hash) of every stored version that `principal` sees, the newest first."""
    wanted = Q(pk__in=())
    for kind, slug in {(item.kind, item.slug) for item in items}:
        wanted |= Q(document__kind=kind, document__slug=slug)
    rows = visible(principal, DocumentVersion.objects.all()).filter(wanted).order_by("-number")
    found: dict[tuple[str, str], list[tuple[int, int, str]]] = {}
    names = ("document__kind", "document__slug", "document_id", "number", "content_hash")
    for kind, slug, document, number, content_hash in rows.values_list(*names):
        found.setdefault((kind, slug), []).append((document, number, content_hash))
    return found


def _of_documents(run: Run, items: Iterable[RunInput], newest: Newest) -> Iterator[Since]:
    for item in items:
        versions = newest.get((item.kind, item.slug), [])
        # The document is the one of which a version has the pinned content: several projects may use one name.
        held = {document for document, _, content_hash in versions if content_hash == item.content_hash}
        latest = next(((number, content) for document, number, content in versions if document in held), None)
        if latest is not None and latest[1] != item.content_hash:
            yield Since(run.pk, f"Its {item.slot} {item.slug} has version {latest[0]}; it used version {item.version}")
        elif not versions and (shipped := _shipped(item)) is not None and shipped != item.version:
            yield Since(run.pk, f"Its {item.slot} {item.slug} is built in as version {shipped}; it used {item.version}")


def _shipped(item: RunInput) -> int | None:
    """Return the version of the built-in document of that name; None where there is none."""
    documents = builtin_documents(cast(DocumentKind, item.kind))
    return documents[item.slug].version if item.slug in documents else None
