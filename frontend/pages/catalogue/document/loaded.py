"""Documents of the catalogue as what engines work with; what was read once is kept."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import Any

from engines.contract.errors import ProblemError
from engines.documents import families
from webapp.catalogue.service import DocumentEntry

_MOST_KEPT = 512
_kept: OrderedDict[tuple[str, str, str], Any] = OrderedDict()


def loaded(entry: DocumentEntry) -> Any:
    """The package, system on a chip, network or scenario of an entry; None where its content cannot be read any more."""
    # A built-in is told by its name; of others the content decides, as a slug may be given again.
    key = (entry.kind, entry.slug, "" if entry.builtin else entry.content_hash)
    with suppress(KeyError):  # another thread may drop it at any moment
        _kept.move_to_end(key)
        return _kept[key]
    try:
        value = families.load(entry.content, entry.kind)
    except ProblemError:
        value = None
    _kept[key] = value
    while len(_kept) > _MOST_KEPT:
        _kept.popitem(last=False)
    return value
