"""The search: what a person finds by words, through the one gate of visibility."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from webapp.search.indexing import rows_of
from webapp.search.words import asked_words, postgresql_question, sqlite_question
from webapp.teams.models import Project
from webapp.teams.permissions import Principal, limits_of
from webapp.teams.visibility import known, visible, visible_projects

# Some of what the index finds may have been deleted or moved since; more of them are looked at than are shown.
_MARGIN = 4
MOST_WORDS = 8
MOST_PROJECTS = 500


def found(principal: Principal, query: str, kind: str, most: int) -> list[Any]:
    """Return the newest things of a kind that hold every word of a query, or a word that begins with it.

    Args:
        principal: who asks; only what they may see is found.
        query: as typed; whatever is no letter or digit only separates words.
        kind: a searchable one.
        most: number of most.

    Returns:
        Rows without their large columns, newest first; none for a query without words.
    """
    wanted = asked_words(query, kind)[:MOST_WORDS]
    projects = list(_searched(principal).order_by("-pk").values_list("pk", flat=True)[:MOST_PROJECTS])
    if not wanted or not projects:
        return []
    numbers = _numbers(kind, projects, wanted, most * _MARGIN)
    rows = visible(principal, rows_of(kind).select_related("project")).in_bulk(numbers)
    return [rows[number] for number in numbers if number in rows][:most]


def _searched(principal: Principal) -> QuerySet[Project]:
    """Return the projects of `principal`, and the shelf of what is official."""
    limits, own = limits_of(principal), visible_projects(principal)
    if not known(principal) or (limits is not None and limits.project is not None):
        return own
    return Project.objects.filter(Q(pk__in=own.order_by().values("pk")) | Q(official=True))


def _numbers(kind: str, projects: list[int], wanted: list[str], most: int) -> list[int]:
    """Return the numbers of things, those last stored first."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT number FROM search_searchentry WHERE vector @@ to_tsquery('simple', %s) ORDER BY id DESC LIMIT %s",
                [postgresql_question(kind, projects, wanted), most],
            )
        else:
            cursor.execute(
                "SELECT entry.number FROM search_text JOIN search_searchentry entry ON entry.id = search_text.rowid "
                "WHERE search_text MATCH %s ORDER BY search_text.rowid DESC LIMIT %s",
                [sqlite_question(kind, projects, wanted), most],
            )
        return [int(row[0]) for row in cursor.fetchall()]
