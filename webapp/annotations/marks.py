"""Tags, which all who see a thing see, and stars, which each person keeps for themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import CharField, Count, Model, QuerySet, Value

from engines.contract.errors import ProblemError
from webapp.annotations.models import Favourite, Tag
from webapp.annotations.texts import read_tag
from webapp.annotations.things import marked_thing, project_holding, seen_things
from webapp.items.registry import items
from webapp.teams.permissions import Action, Principal, known, require, user_number
from webapp.teams.row_locks import account_lock, row_lock
from webapp.teams.visibility import visible

ModelType = TypeVar("ModelType", bound=Model)
MOST_TAGS = 20
MOST_WORDS = 500


@dataclass(frozen=True)
class Marks:
    """The tags of a thing in the order of their letters, and whether the person who looks gave it a star."""

    tags: tuple[str, ...] = ()
    star: bool = False


@dataclass(frozen=True)
class AskedMarks:
    """The marks that filter a list: a tag, "" for any; a star of the person."""

    tag: str = ""
    star: bool = False


def only_marked(person: Principal, kind: str, rows: QuerySet[ModelType], asked: AskedMarks) -> QuerySet[ModelType]:
    """Return the rows of a kind visible to `person` that have the tags and star asked for."""
    found = rows.filter(pk__in=tagged(kind, asked.tag)) if asked.tag else rows
    return found.filter(pk__in=starred(person, kind)) if asked.star else found


def marks_of(person: Principal, kind: str, numbers: Iterable[int]) -> dict[int, Marks]:
    """Return number -> tags and star of things of a kind, in one query.

    Args:
        person: who looks.
        kind: a markable one.
        numbers: of things which `person` sees: whoever calls has asked for them.
    """
    wanted = list(numbers)
    if not wanted:
        return {}
    tags = Tag.objects.filter(kind=kind, number__in=wanted).order_by().values_list("number", "word")
    stars = Favourite.objects.filter(user_id=user_number(person), kind=kind, number__in=wanted).order_by()
    none = Value("", output_field=CharField())  # no tag is empty
    words: dict[int, list[str]] = {number: [] for number in wanted}
    for number, word in tags.union(stars.values_list("number", none), all=True):
        words[number].append(word)
    return {number: Marks(tuple(sorted(w for w in found if w)), "" in found) for number, found in words.items()}


def set_tags(person: Principal, kind: str, number: Any, words: Iterable[object]) -> tuple[str, ...]:
    """Return the tags that a thing has from now on.

    Args:
        person: an editor of the thing's project.
        kind: a markable one.
        number: number of the thing.
        words: free words; those that differ in nothing but capitals and spaces are one.

    Raises:
        NotVisible, NotAllowed: `person` does not see it, or only views its project.
        ProblemError: a word cannot be a tag, or there are too many.
    """
    thing = marked_thing(person, kind, number)
    require(person, Action.EDIT, thing)
    wanted = {read_tag(word) for word in words}
    if len(wanted) > MOST_TAGS:
        raise ProblemError("tags", f"{len(wanted)} tags", f"at most {MOST_TAGS} tags")
    with row_lock(type(thing), thing.pk):
        there = Tag.objects.filter(kind=kind, number=thing.pk)
        for tag in there.exclude(word__in=wanted):
            tag.delete()
        project = project_holding(thing)
        for word in sorted(wanted - set(there.values_list("word", flat=True))):
            Tag.objects.get_or_create(kind=kind, number=thing.pk, word=word, defaults={"project": project})
    return tuple(sorted(wanted))


def set_star(person: Principal, kind: str, number: Any, star: bool) -> None:
    """Add or remove the user's own star on an item.

    Raises:
        NotVisible, NotAllowed: `person` does not see it, or comes with a token that only reads.
    """
    thing = marked_thing(person, kind, number)
    require(person, Action.STAR, thing)
    mine = {"user_id": user_number(person), "kind": kind, "number": thing.pk}
    with account_lock(mine["user_id"]):
        if star:
            Favourite.objects.get_or_create(**mine)
        else:
            Favourite.objects.filter(**mine).delete()


def tag_counts(person: Principal, kind: str = "") -> list[tuple[str, int]]:
    """Return every tag that a person sees and how many things of a kind, or of all, have it; in the order of their letters."""
    rows = visible(person, Tag.objects.filter(**({"kind": kind} if kind else {}))).order_by("word")
    return list(rows.values("word").annotate(things=Count("pk")).values_list("word", "things")[:MOST_WORDS])


def tagged(kind: str, word: str) -> QuerySet[Any, Any]:
    """Return the numbers of the things of a kind that have a tag: to filter what `visible` gives, and by nothing else."""
    return Tag.objects.filter(kind=kind, word=word.lower()).values("number")


def starred(person: Principal, kind: str) -> QuerySet[Any, Any]:
    """Return the numbers of the things of a kind that a person gave a star."""
    return Favourite.objects.filter(user_id=user_number(person), kind=kind).values("number")


def favourites(person: Principal) -> list[tuple[str, Any]]:
    """Return the kind and thing of everything that a person gave a star and still sees, the newest star first."""
    if not known(person):
        return []
    rows = list(Favourite.objects.filter(user_id=user_number(person)).order_by("-pk").values_list("kind", "number"))
    wanted: dict[str, set[int]] = {}
    for kind, number in rows:
        if kind in items("markable"):
            wanted.setdefault(kind, set()).add(number)
    things = seen_things(person, wanted)
    return [(kind, things[kind, number]) for kind, number in rows if (kind, number) in things]
