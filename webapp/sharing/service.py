"""Making, ending and following read-only links.

A link opens what it was made for, with everything that belongs to it: a study with its runs, a comparison or a report with those of
its runs that the maker sees. It ends on its day, when it is revoked, when its maker may no longer share the thing, and when the
thing moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from webapp.base.sub_path import absolute, at
from webapp.changes.change_recorder import note as note_change
from webapp.changes.models import Change
from webapp.changes.service import who_did
from webapp.comparisons.models import Comparison
from webapp.items.registry import items
from webapp.reports.models import Report, ReportVersion
from webapp.runs.models import Run
from webapp.runs.service import visible_runs
from webapp.sharing.models import ShareLink
from webapp.studies.models import Study
from webapp.teams.errors import TeamError
from webapp.teams.permissions import Action, NotAllowed, NotVisible, Principal, Shared, may, require
from webapp.teams.projects import is_key
from webapp.teams.secret_texts import digest_of, new_secret
from webapp.teams.visibility import require_visible, visible

DAYS = (1, 7, 30, 90)
_LONGEST_NOTE = 200
_MOST_REVOKED = 10
_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class MadeLink:
    """A new link: the stored row, and its address, which is shown only once."""

    link: ShareLink
    address: str


@dataclass(frozen=True)
class OpenLink:
    """A valid link: the stored row, its item, and the address of the item's page."""

    link: ShareLink
    thing: Any

    @property
    def place(self) -> str:
        """Path of the page."""
        return items("shareable")[self.link.kind].path(self.thing)


def shared_thing(person: Principal, kind: str, number: Any) -> Any:
    """Return the item that a link of that kind opens.

    Raises:
        NotVisible: there is none, or `person` may not see it.
    """
    found = items("shareable").get(kind)
    if found is None:
        raise NotVisible(f"There is no {kind} here.")
    return require_visible(person, found.rows.select_related("project", "owner"), pk=number)


def make_link(person: Principal, kind: str, number: Any, days: int, note: str = "") -> MadeLink:
    """Return a link for a person without an account.

    Args:
        person: an editor of the thing's project.
        kind: a shareable one.
        number: number of the thing.
        days: out of `DAYS`, after which the link is over.
        note: whom it is for; optional.

    Raises:
        NotVisible, NotAllowed: `person` does not see it, or only views its project.
        TeamError: no such time.
    """
    thing = shared_thing(person, kind, number)
    require(person, Action.SHARE, thing)
    if days not in DAYS:
        raise TeamError(f"A link is valid for one of {', '.join(map(str, DAYS))} days.")
    secret = new_secret()
    link = ShareLink.objects.create(
        kind=kind,
        number=thing.pk,
        project=thing.project,
        made_by_id=int(person.pk or 0),
        note=" ".join(note.split())[:_LONGEST_NOTE],
        digest=digest_of(secret),
        expires=timezone.now() + timedelta(days=days),
    )
    return MadeLink(link, absolute(reverse("shared", args=(secret,))))


def links_to(person: Principal, kind: str, number: Any) -> QuerySet[ShareLink]:
    """Return the links of an item that are or will be valid, newest first, for users who may create links.

    Raises:
        NotVisible, NotAllowed: as `make_link`.
    """
    thing = shared_thing(person, kind, number)
    require(person, Action.SHARE, thing)
    return _living().filter(kind=kind, number=thing.pk, project=thing.project).select_related("made_by")


def revoke(person: Principal, kind: str, number: Any, link: Any) -> None:
    """End a link at once.

    Raises:
        NotVisible, NotAllowed: as `make_link`, or there is no such link.
    """
    found = links_to(person, kind, number).filter(pk=link).first() if is_key(link) else None
    if found is None:
        raise NotVisible("There is no such link here.")
    ended = timezone.now()
    ShareLink.objects.filter(pk=found.pk).update(revoked=ended)
    note_change(found, "changed", {"revoked": ("", ended.isoformat(timespec="seconds"))})


def revoked_links(person: Principal, kind: str, number: Any) -> list[tuple[ShareLink, str]]:
    """Return at most ten revoked links, newest first, with the user who revoked each ("" if the log does not show it).

    Raises:
        NotVisible, NotAllowed: as `make_link`.
    """
    thing = shared_thing(person, kind, number)
    require(person, Action.SHARE, thing)
    rows = ShareLink.objects.filter(kind=kind, number=thing.pk, project=thing.project, revoked__isnull=False)
    found = list(rows.select_related("made_by").order_by("-revoked")[:_MOST_REVOKED])
    by = who_did(Change.Verb.CHANGED, ShareLink, [link.pk for link in found]) if found else {}
    return [(link, by.get(link.pk, "")) for link in found]


def share_again(person: Principal, kind: str, number: Any, link: Any) -> MadeLink:
    """Return a new link for whom a revoked one was, which holds as long. Raises as `make_link`, or NotVisible: no such link."""
    found = next((each for each, _ in revoked_links(person, kind, number) if each.pk == link), None)
    if found is None:
        raise NotVisible("There is no such link here.")
    days = round((found.expires - found.created) / timedelta(days=1))
    return make_link(person, kind, number, min(DAYS, key=lambda each: abs(each - days)), found.note)


@dataclass(frozen=True)
class EndedLink:
    """The end of a link, as its address states it: when it was revoked or ended.

    Attributes:
        place: path of the page where whoever asks can make another one; "" for all others.
    """

    at: datetime
    revoked: bool
    by: str = ""
    place: str = ""


def ended_link(person: Principal, secret: str) -> EndedLink | None:
    """Return why a link opens nothing; None where there never was one, or where it is closed for another reason than its end.

    Whoever has the secret has had the link. Who revoked it is for those who may share the thing.
    """
    link = ShareLink.objects.exclude(pk__in=_living().values("pk")).filter(digest=digest_of(secret)).first()
    if link is None:
        return None
    ended_at = link.revoked or link.expires
    try:
        by = {each.pk: who for each, who in revoked_links(person, link.kind, link.number)}.get(link.pk, "")
    except (NotVisible, NotAllowed):
        return EndedLink(ended_at, link.revoked is not None)
    place = at(items("shareable")[link.kind].path(shared_thing(person, link.kind, link.number)))
    return EndedLink(ended_at, link.revoked is not None, by, place)


def follow(secret: str) -> OpenLink | None:
    """Return the item that a link opens; None if the link is unknown or has expired."""
    link = _living().filter(digest=digest_of(secret)).select_related("made_by").first()
    opened = _opened(link) if link is not None else None
    if opened is not None and opened.link.opened_before(_NOTED_EVERY):
        ShareLink.objects.filter(pk=opened.link.pk).update(opened=timezone.now())
    return opened


def still_open(numbers: Iterable[Any]) -> list[OpenLink]:
    """Return the links with these numbers that are still valid."""
    keys = [number for number in numbers if isinstance(number, int)]
    if not keys:
        return []
    found = (_opened(link) for link in _living().filter(pk__in=keys).select_related("made_by"))
    return [each for each in found if each is not None]


def opened_rows(opened: Iterable[OpenLink]) -> Shared:
    """Return the items that these links open, in the form that `webapp.teams.permissions` uses."""
    rows: dict[str, dict[str, set[int]]] = {}
    for each in opened:
        rows.setdefault(each.thing._meta.label, {}).setdefault("pk", set()).add(each.thing.pk)
        runs = rows.setdefault(Run._meta.label, {})
        if isinstance(each.thing, Study):
            runs.setdefault("study", set()).add(each.thing.pk)
        elif isinstance(each.thing, Comparison):
            numbers = [entry["run"] for entry in each.thing.entries]
            runs.setdefault("pk", set()).update(_seen(each, numbers))
        elif isinstance(each.thing, Report):
            newest = ReportVersion.objects.filter(report=each.thing).order_by("-number").values_list("pins", flat=True)
            runs.setdefault("pk", set()).update(_seen(each, map(int, newest.first() or {})))
    return {label: {name: frozenset(keys) for name, keys in lookups.items()} for label, lookups in rows.items()}


def _seen(opened: OpenLink, numbers: Iterable[int]) -> Iterable[int]:
    """Return the runs that the maker of the link sees."""
    return visible_runs(opened.link.made_by).filter(pk__in=list(numbers)).values_list("pk", flat=True)


def _living() -> QuerySet[ShareLink]:
    return ShareLink.objects.filter(revoked=None, expires__gt=timezone.now())


def _opened(link: ShareLink) -> OpenLink | None:
    found = items("shareable").get(link.kind)
    if found is None:
        return None
    seen = visible(link.made_by, found.rows.select_related("project", "owner"))
    thing = seen.filter(pk=link.number, project_id=link.project_id).first()
    return OpenLink(link, thing) if thing is not None and may(link.made_by, Action.SHARE, thing) else None
