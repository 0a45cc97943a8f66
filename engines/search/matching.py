"""Maximum bipartite matching of parties and items, and the parties that lack items together (Hall, 1935)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Matching:
    """A maximum matching.

    Attributes:
        item: item of each party; None for a party without one.
        short: parties whose joint wanted items are fewer than the parties, ascending; empty if all have an item.
    """

    item: tuple[int | None, ...]
    short: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of parties with an item."""
        return sum(item is not None for item in self.item)


def match(wanted: Sequence[Collection[int]]) -> Matching:
    """Return a maximum matching by augmenting paths (Kuhn's algorithm); deterministic.

    Args:
        wanted: items that each party accepts, the preferred ones first. A party that has an item keeps one, but perhaps another
            one.
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
