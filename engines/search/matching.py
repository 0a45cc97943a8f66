"""One item per party, none taken twice: a largest matching, and which parties together want too few items (Hall, 1935)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Matching:
    """A largest matching.

    Attributes:
        item: what each party got; None: nothing.
        short: parties that have fewer items than parties between them, ascending; empty if all got one.
    """

    item: tuple[int | None, ...]
    short: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many parties got an item."""
        return sum(item is not None for item in self.item)


def match(wanted: Sequence[Collection[int]]) -> Matching:
    """Give as many parties as possible one item each, by augmenting paths (Kuhn); deterministic.

    Args:
        wanted: what each party may get, the preferred first. Earlier parties keep an item once they have one, but not always
            the same.
    """
    holder: dict[int, int] = {}
    short: set[int] = set()
    for party in range(len(wanted)):
        seen: set[int] = set()
        if not _place(party, wanted, holder, seen) and not short:
            short = {party, *(holder[item] for item in seen)}
    item = {party: taken for taken, party in holder.items()}
    return Matching(tuple(item.get(party) for party in range(len(wanted))), tuple(sorted(short)))


def _place(party: int, wanted: Sequence[Collection[int]], holder: dict[int, int], seen: set[int]) -> bool:
    for item in wanted[party]:
        if item not in holder:
            holder[item] = party
            return True
    for item in wanted[party]:
        if item not in seen:
            seen.add(item)
            if _place(holder[item], wanted, holder, seen):
                holder[item] = party
                return True
    return False
