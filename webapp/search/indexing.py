"""What can be found by which words, and keeping it so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.apps import apps
from django.db.models import QuerySet

from engines.contract.designs import table_from_bytes
from webapp.catalogue.models import Document, DocumentVersion
from webapp.runs.models import DesignChunk, Run, RunInput
from webapp.search.models import SearchEntry
from webapp.search.words import kind_word, project_word, words_of
from webapp.talk.models import Note, Tag
from webapp.talk.texts import LONGEST_NOTE, one_line

_AT_ONCE = 500
MOST_LABELS = 2000


def _run_words(runs: list[Run]) -> Iterator[tuple[Run, list[str]]]:
    inputs: dict[int, list[str]] = {}
    rows = RunInput.objects.filter(run__in=[run.pk for run in runs]).values_list("run", "slug")
    for number, slug in rows:
        inputs.setdefault(number, []).append(slug)
    remarks: dict[int, list[str]] = {}
    notes = Note.objects.filter(kind="run", number__in=[run.pk for run in runs], design__isnull=False, deleted=None)
    for number, text in notes.values_list("number", "text"):
        remarks.setdefault(number, []).append(one_line(text, LONGEST_NOTE))
    for run in runs:
        yield (
            run,
            words_of(
                *(run.pk, run.title, run.engine, run.owner.get_username(), *inputs.get(run.pk, ())),
                *(*remarks.get(run.pk, ()), *labels_of(run)),
            ),
        )


def labels_of(run: Run) -> Iterator[str]:
    """The labels of a run's designs, each once: baselines, proven designs and those that somebody scored."""
    seen: set[str] = set()
    if not run.design_count:
        return
    for data in DesignChunk.objects.filter(run=run).values_list("scalars", flat=True).iterator(chunk_size=1):
        table = table_from_bytes(bytes(data))
        if "label" not in table.column_names:
            continue
        new = {str(label) for label in table.column("label").to_pylist() if label} - seen
        yield from sorted(new)
        seen |= new
        if len(seen) > MOST_LABELS:
            return


def _titled_words(things: list[Any]) -> Iterator[tuple[Any, list[str]]]:
    for each in things:
        yield each, words_of(each.pk, each.title, getattr(each, "engine", ""), each.owner.get_username())


def _document_words(documents: list[Document]) -> Iterator[tuple[Document, list[str]]]:
    newest: dict[int, tuple[Any, ...]] = {}
    rows = DocumentVersion.objects.filter(document__in=documents).order_by("number")
    for row in rows.values_list("document_id", "title", "summary", "created_by__username"):
        newest[row[0]] = row[1:]
    for each in documents:
        yield each, words_of(each.slug, each.kind, *(text for text in newest.get(each.pk, ()) if text))


KINDS: Mapping[str, tuple[str, Callable[[list[Any]], Iterator[tuple[Any, list[str]]]]]] = {
    "run": ("runs.Run", _run_words),
    "study": ("studies.Study", _titled_words),
    "comparison": ("comparisons.Comparison", _titled_words),
    "report": ("reports.Report", _titled_words),
    "document": ("catalogue.Document", _document_words),
}
_SMALL: Mapping[str, tuple[str, ...]] = {
    "run": ("title", "engine", "design_count", "status", "outcome", "project", "owner__username"),
    "study": ("title", "engine", "project", "owner__username"),
    "comparison": ("title", "project", "owner__username"),
    "report": ("title", "project", "owner__username"),
    "document": ("slug", "kind", "project"),
}


def rows_of(kind: str) -> QuerySet[Any]:
    """The things of a kind, without their large columns."""
    model: Any = apps.get_model(KINDS[kind][0])
    found: QuerySet[Any] = model._default_manager.only(*_SMALL[kind])
    return found if kind == "document" else found.select_related("owner")


def index(kind: str, numbers: Iterable[int]) -> int:
    """Write the words of these things anew; those that are gone are skipped. How many were written."""
    wanted, count = list(numbers), 0
    for start in range(0, len(wanted), _AT_ONCE):
        things = list(rows_of(kind).filter(pk__in=wanted[start : start + _AT_ONCE]))
        tags: dict[int, list[str]] = {}
        rows = Tag.objects.filter(kind=kind, number__in=[each.pk for each in things]).order_by("word")
        for number, word in rows.values_list("number", "word"):
            tags.setdefault(number, []).append(word)
        entries = [
            SearchEntry(
                kind=kind,
                number=each.pk,
                project_id=each.project_id,
                words=" ".join(
                    [kind_word(kind), project_word(each.project_id), *words_of(*tags.get(each.pk, ()), *words)]
                ),
            )
            for each, words in KINDS[kind][1](things)
        ]
        SearchEntry.objects.bulk_create(
            entries, update_conflicts=True, unique_fields=["kind", "number"], update_fields=["project", "words"]
        )
        count += len(entries)
    return count


def index_everything() -> Iterator[tuple[str, int]]:
    """Write the whole index anew; kind and how many, one kind after another."""
    for kind in KINDS:
        model: Any = apps.get_model(KINDS[kind][0])
        numbers = list(model._default_manager.order_by("pk").values_list("pk", flat=True))
        SearchEntry.objects.filter(kind=kind).delete()
        yield kind, index(kind, numbers)
