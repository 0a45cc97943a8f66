"""Documents of the catalogue as what engines work with; what was read once is kept."""

from __future__ import annotations

from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.errors import ProblemError
from engines.documents import families
from webapp.catalogue.service import DocumentEntry

_MOST_KEPT = 512
_kept: BoundedCache[tuple[str, str, str], Any] = BoundedCache(_MOST_KEPT)


def loaded(entry: DocumentEntry) -> Any:
    """Return the package, system on a chip, network or scenario of an entry; None where its content cannot be read any more."""
    # A built-in is told by its name; of others the content decides, as a slug may be given again.
    key = (entry.kind, entry.slug, "" if entry.builtin else entry.content_hash)
    return _kept.made(key, lambda: _read(entry))


def _read(entry: DocumentEntry) -> Any:
    try:
        return families.load(entry.content, entry.kind)
    except ProblemError:
        return None
