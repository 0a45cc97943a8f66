"""The what-if analysis of a run's boards and packages: values that may change, and their storage as a new version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.engine import Document
from engines.contract.errors import EngineError, ProblemError
from engines.documents import families
from engines.documents.builtin import get_builtin
from engines.registry import get_engine
from hardware.errors import HardwareError
from hardware.movable import Movable
from webapp.catalogue.models import Document as StoredItem
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import store
from webapp.runs.inputs.estimators import estimator_of
from webapp.runs.models import Run, RunInput
from webapp.teams.visibility import Principal, require_edit

_ENDING = "what-if"
Positions = Mapping[str, Mapping[str, float]]  # slot -> name of a figure -> where it is moved to
_MOST_KEPT = 64
Values = dict[str, dict[str, Any]]  # slot -> dotted key -> value


@dataclass(frozen=True)
class MovableDocument:
    """A document of a run with figures that may be moved.

    Attributes:
        slot: slot of the run.
        title: title of the document.
        content: in its newest schema.
        figures: what may be moved.
    """

    slot: str
    kind: str
    slug: str
    version: int
    content_hash: str
    title: str
    content: Mapping[str, Any]
    figures: tuple[Movable, ...]


_movable: BoundedCache[tuple[tuple[str, str, str, int, str], ...], tuple[MovableDocument, ...]] = BoundedCache(
    _MOST_KEPT
)


def movable_of(run: Run) -> tuple[MovableDocument, ...]:
    """Return the documents of a run whose family declares figures to move, calibrations first; read once per process."""
    pinned = tuple((item.slot, item.kind, item.slug, item.version, item.content_hash) for item in run.listed_inputs)
    chosen = _chosen(run)
    key = (*pinned, *((slot, each.kind, each.slug, each.version, "") for slot, each in chosen.items()))
    return _movable.made(
        key, lambda: tuple(sorted(_read_movable(run, chosen), key=lambda each: each.kind != "calibration"))
    )


def _chosen(run: Run) -> dict[str, Document]:
    """Return the built-in documents that the engine took where the run names none."""
    try:
        slugs = estimator_of(run).chosen
        return {slot: get_builtin(get_engine(run.engine).inputs[slot].kind, slug) for slot, slug in slugs.items()}
    except EngineError:  # another version of the engine, or nobody could be asked
        return {}


def _read_movable(run: Run, chosen: Mapping[str, Document]) -> Iterator[MovableDocument]:
    for item in run.inputs.all():
        yield from _with_figures(item.slot, item, item.content_hash)
    for slot, document in chosen.items():
        yield from _with_figures(slot, document, document.content_hash())


def _with_figures(slot: str, item: RunInput | Document, content_hash: str) -> Iterator[MovableDocument]:
    try:
        family = families.family_of(item.content)
    except ProblemError:  # of a family that is not installed any more
        return
    content = families.upgraded(item.content)
    figures = family.movable(content)
    if figures:
        title = str(content.get("title", item.slug))
        yield MovableDocument(slot, item.kind, item.slug, item.version, content_hash, title, content, figures)


def values_at(documents: tuple[MovableDocument, ...], positions: Positions) -> Values:
    """Return the changed values of the documents; unchanged values are omitted.

    Raises:
        ProblemError: there is no such slot or figure, or it cannot be moved there.
    """
    by_slot = {each.slot: each for each in documents}
    found: Values = {}
    for slot, moved in positions.items():
        if slot not in by_slot:
            raise ProblemError("slot", slot, f"one of {', '.join(by_slot) or '(none)'}")
        figures = {figure.name: figure for figure in by_slot[slot].figures}
        for name, value in moved.items():
            if name not in figures:
                raise ProblemError(f"{slot}.figure", name, f"one of {', '.join(figures)}")
            try:
                if float(value) != figures[name].value:
                    found.setdefault(slot, {}).update(figures[name].at(float(value)))
            except HardwareError as error:
                raise ProblemError.of(error, f"{slot}.{error.key}") from error
    return found


@dataclass(frozen=True)
class StoredDocument:
    """A stored document: its address, and whether it is new."""

    slot: str
    kind: str
    name: str
    title: str
    version: int
    created: bool


def keep(principal: Principal, run: Run, positions: Positions) -> tuple[StoredDocument, ...]:
    """Store the documents as they are moved, in the run's project.

    A document of that project gets a new version. Of any other, which comes with the product or belongs to others, there is a
    copy, which gets its versions from then on.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: nothing is moved, or the values make no valid document.
    """
    require_edit(principal, run.project)
    documents = movable_of(run)
    values = values_at(documents, positions)
    if not values:
        raise ProblemError("figures", "all values equal", "values that differ from the hardware of the run")
    return tuple(_kept(principal, run, each, values[each.slot]) for each in documents if each.slot in values)


def _kept(principal: Principal, run: Run, document: MovableDocument, values: Mapping[str, Any]) -> StoredDocument:
    source = f"assumed; changed on the page of run {run.pk} from {document.slug} v{document.version}"
    content = families.family_of(document.content).moved(document.content, values, source)
    if not _belongs(run, document):
        content = {
            **families.stored(content),
            "slug": _slug(document.slug),
            "title": f"{document.title} (what if)"[:200],
        }
    version, created = store(
        principal, run.project, document.kind, content, reason=f"Changed on the page of run {run.pk}"
    )
    name = f"{run.project.slug}/{version.document.slug}"
    return StoredDocument(document.slot, document.kind, name, version.title, version.number, created)


def _belongs(run: Run, document: MovableDocument) -> bool:
    """Return whether the run's project has the very document."""
    return DocumentVersion.objects.filter(
        document__in=StoredItem.objects.filter(
            project=run.project, kind=document.kind, slug=document.slug, deleted__isnull=True
        ),
        number=document.version,
        content_hash=document.content_hash,
    ).exists()


def _slug(slug: str) -> str:
    return slug if slug.endswith(_ENDING) else f"{slug[: 79 - len(_ENDING)].rstrip('-')}-{_ENDING}"
