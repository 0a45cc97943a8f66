"""The kinds of items, in the order of the installed applications, and what people can do with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from django.apps import apps
from django.db.models import QuerySet

Ability = Literal["annotatable", "markable", "movable", "shareable", "deletable", "searchable", "logged"]
Words = Callable[[Sequence[Any]], Mapping[int, Iterable[object]]]
_ITEMS: dict[str, Item] = {}


@dataclass(frozen=True, kw_only=True)
class Item:
    """A kind of items, declared once by the application that stores them.

    Attributes:
        name: as the change log, REST and addresses call it. model: its label, such as "runs.Run".
        page: path of the page of one, {} for its number; "" without such a page.
        address: that path where it takes more than a number.
        listing: path of the list of all, which filters by tag and star.
        notes: query of the page by which it shows notes.
        columns: small ones of the model, all that lists, the search and deletion read; others may have megabytes.
        label: what people call one. plural, icon: heading of some of them.
        words: number -> texts by which items are found next to number, label, engine and owner.
        remains: what deleting one leaves, as a sentence. companions: what goes along when one moves, as a sentence.
        annotatable: people write notes on it. markable: it has tags and stars. movable: from project to project.
        shareable: with people without an account, by a link. deletable: its model is `Deletable`. searchable: words find it.
        logged: columns whose changes are people's doing and stand in the change log; what workers write is none of them.
        secret: those of them whose values the log hides.
    """

    name: str
    model: str
    page: str = ""
    address: Callable[[Any], str] | None = None
    listing: str = ""
    notes: str = ""
    columns: tuple[str, ...] = ()
    label: Callable[[Any], str] = attrgetter("title")
    plural: str = ""
    icon: str = ""
    words: Words | None = None
    remains: str = ""
    companions: str = ""
    annotatable: bool = False
    markable: bool = False
    movable: bool = False
    shareable: bool = False
    deletable: bool = False
    searchable: bool = False
    logged: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()

    @property
    def rows(self) -> QuerySet[Any]:
        """Return all stored items of the kind."""
        model: Any = apps.get_model(self.model)
        found: QuerySet[Any] = model._default_manager.all()
        return found

    def path(self, one: Any) -> str:
        """Return the path of the page of one; "" without one."""
        return self.address(one) if self.address else self.page.format(one.pk)


def declare(*items: Item) -> None:
    """Register the site's kinds of items."""
    _ITEMS.update({item.name: item for item in items})


def items(ability: Ability | None = None) -> dict[str, Item]:
    """Name -> kind of items: of all, or of those with an ability."""
    return {name: item for name, item in _ITEMS.items() if ability is None or getattr(item, ability)}
