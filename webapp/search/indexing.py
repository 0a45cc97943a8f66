"""Index of words, and its updates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet

from webapp.annotations.models import Note, Tag
from webapp.annotations.texts import LONGEST_NOTE, one_line
from webapp.items.registry import items
from webapp.search.models import SearchEntry
from webapp.search.words import kind_word, project_word, words_of

_AT_ONCE = 500


def rows_of(kind: str) -> QuerySet[Any]:
    """Return the things of a kind, without their large columns."""
    item = items("searchable")[kind]
    rows = item.rows.only(*item.columns, "project", *(("owner__username",) if "owner" in item.columns else ()))
    return rows.select_related("owner") if "owner" in item.columns else rows


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
            for each, words in _words(kind, things)
        ]
        SearchEntry.objects.bulk_create(
            entries, update_conflicts=True, unique_fields=["kind", "number"], update_fields=["project", "words"]
        )
        count += len(entries)
    return count


def index_everything() -> Iterator[tuple[str, int]]:
    """Write the whole index anew; kind and how many, one kind after another."""
    for kind, item in items("searchable").items():
        numbers = list(item.rows.order_by("pk").values_list("pk", flat=True))
        SearchEntry.objects.filter(kind=kind).delete()
        yield kind, index(kind, numbers)


def _words(kind: str, things: list[Any]) -> Iterator[tuple[Any, list[str]]]:
    item = items("searchable")[kind]
    remarks: dict[int, list[str]] = {}
    notes = Note.objects.filter(kind=kind, number__in=[each.pk for each in things], design__isnull=False, deleted=None)
    for number, text in notes.values_list("number", "text"):
        remarks.setdefault(number, []).append(one_line(text, LONGEST_NOTE))
    more = item.words(things) if item.words else {}
    for each in things:
        shown = (*([each.pk] if item.page else []), item.label(each), getattr(each, "engine", ""))
        owner = [each.owner.get_username()] if "owner" in item.columns else []
        yield each, words_of(*shown, *owner, *remarks.get(each.pk, ()), *more.get(each.pk, ()))
