"""Queries of pages, REST and the admin on the change log: the entries that one may see, filtered, as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple

from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, QuerySet

from engines.contract.errors import ProblemError
from webapp.changes.models import Change
from webapp.items.registry import items
from webapp.teams.permissions import limits_of
from webapp.teams.visibility import Principal, known, visible

_LONGEST_VALUE = 120


@dataclass(frozen=True)
class ChangeQuery:
    """A query for changes; "" and None match all.

    Attributes:
        kind: a logged one. number: of one object of that kind.
        project: slug. person: name of the account. means, verb: of `Change`.
        since, until: first and last day, in UTC.
    """

    kind: str = ""
    number: int | None = None
    project: str = ""
    person: str = ""
    means: str = ""
    verb: str = ""
    since: date | None = None
    until: date | None = None


class Difference(NamedTuple):
    """A field and its values in words; "" means none."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Line:
    """A change in words.

    Attributes:
        href: address of its item; "" if it has no page.
        differences: differences of its fields, each short enough for a table.
    """

    number: int
    at: datetime
    who: str
    means: str
    token: str
    verb: str
    kind: str
    what: str
    href: str
    project: str
    request_id: str
    differences: tuple[Difference, ...]


def read_asked(given: Mapping[str, str]) -> ChangeQuery:
    """Return the filter that an address or query states.

    Raises:
        ProblemError: a value is none of those that there are.
    """
    words = {name: given.get(name, "").strip() for name in ("project", "person")}
    choices = {"kind": tuple(items("logged")), "means": Change.Means.values, "verb": Change.Verb.values}
    for name, accepted in choices.items():
        words[name] = given.get(name, "").strip()
        if words[name] and words[name] not in accepted:
            raise ProblemError(name, words[name], f"one of {', '.join(accepted)}")
    number = _number(given.get("number", ""))
    if number is not None and not words["kind"]:
        raise ProblemError("number", number, "the number of one item, with its kind")
    days = {name: _day(name, given.get(name, "")) for name in ("since", "until")}
    return ChangeQuery(number=number, since=days["since"], until=days["until"], **words)


def visible_changes(principal: Principal, asked: ChangeQuery | None = None) -> QuerySet[Change]:
    """Return the changes that `principal` may see, newest first: those of their projects, and of their own account."""
    if not known(principal):
        nothing: QuerySet[Change] = Change.objects.none()
        return nothing
    rows: QuerySet[Change] = visible(principal, Change.objects.all())
    if limits_of(principal) is None:  # a token is there for projects
        rows = rows | Change.objects.filter(project__isnull=True, actor_id=principal.pk)
    seen = filtered(rows, asked or ChangeQuery())
    found: QuerySet[Change] = seen.select_related("project", "content_type")
    return found


def filtered(changes: QuerySet[Change], asked: ChangeQuery) -> QuerySet[Change]:
    """Return the changes that the query asks for."""
    wanted: dict[str, Any] = {}
    if asked.kind:
        wanted["content_type"] = ContentType.objects.get_for_model(items("logged")[asked.kind].rows.model)
    wanted |= {} if asked.number is None else {"object_id": asked.number}
    named = {"project__slug": asked.project, "who": asked.person, "means": asked.means, "verb": asked.verb}
    wanted |= {name: value for name, value in named.items() if value}
    if asked.since:
        wanted["timestamp__gte"] = datetime.combine(asked.since, time.min, UTC)
    if asked.until:
        wanted["timestamp__lte"] = datetime.combine(asked.until, time.max, UTC)
    return changes.filter(**wanted)


def who_did(verb: Change.Verb, model: type[Model], numbers: Iterable[int]) -> dict[int, str]:
    """Return the account that last performed `verb` on each of these rows, deleted ones included; rows without entry are absent."""
    kind = ContentType.objects.get_for_model(model)
    found = Change.objects.filter(content_type=kind, object_id__in=list(numbers), verb=verb)
    return dict(found.order_by("timestamp").values_list("object_id", "who"))


def page_of(changes: QuerySet[Change], size: int, before: int | None = None) -> tuple[list[Change], int | None]:
    """Return the newest `size` changes older than number `before`, and the number after which to continue; None at the end."""
    some = changes if before is None else changes.filter(pk__lt=before)
    found = list(some[: size + 1])
    return (found[:size], found[size - 1].pk) if len(found) > size else (found, None)


def lines(changes: list[Change] | QuerySet[Change]) -> Iterator[Line]:
    """Yield the changes in words, in their order."""
    kinds = {item.model.lower(): kind for kind, item in items("logged").items()}
    each: Change
    for each in changes if isinstance(changes, list) else changes.iterator(chunk_size=500):
        label = f"{each.content_type.app_label}.{each.content_type.model}"
        kind = kinds.get(label, each.content_type.model)
        yield Line(
            each.pk,
            each.timestamp,
            each.who,
            each.get_means_display(),
            each.token,
            each.get_verb_display(),
            kind,
            each.object_repr,
            href_of(kind, each),
            each.project.title if each.project else "",
            each.cid or "",
            tuple(_differences(each.changes or {})),
        )


def href_of(kind: str, change: Change) -> str:
    """Return the address of the changed item; "" if it has no page or no longer exists."""
    gone = change.verb in (Change.Verb.DELETED, Change.Verb.PURGED)
    return "" if gone or kind not in items() else items()[kind].page.format(change.object_id)


def people_of(principal: Principal) -> list[str]:
    """Return the names of everybody who is in the changes that `principal` may see."""
    return list(visible_changes(principal).order_by("who").values_list("who", flat=True).distinct())


def _differences(changes: Mapping[str, Any]) -> Iterator[Difference]:
    for name, values in sorted(changes.items()):
        before, after = values if isinstance(values, list) and len(values) == 2 else ("", values)
        if _short(before) != _short(after):
            yield Difference(name.replace("_", " "), _short(before), _short(after))


def _short(value: Any) -> str:
    if value in (None, "None", "", {}, []):
        return ""
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _number(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ProblemError("number", text, "a whole number")
    return int(text)


def _day(name: str, text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise ProblemError(name, text, "a day such as 2026-03-31") from error
