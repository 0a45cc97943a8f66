"""A drawn network as a document: what lists show is at hand, the operations are drawn when a person reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engines.workloads.families.network_builder import Row


class LazyNetwork(Mapping[str, Any]):
    """The content of a `network/1` document whose operations are made on first use.

    Args:
        head: every key but `operations`.
        draw: makes the rows of `operations`.
    """

    def __init__(self, head: Mapping[str, Any], draw: Callable[[], list[Row]]) -> None:
        self._head: dict[str, Any] = dict(head)
        self._draw = draw
        self._operations: list[Row] | None = None

    @property
    def drawn(self) -> bool:
        """Whether the operations were made already."""
        return self._operations is not None

    def __getitem__(self, key: str) -> Any:
        if key != "operations":
            return self._head[key]
        if self._operations is None:
            self._operations = self._draw()
        return self._operations

    def __contains__(self, key: object) -> bool:
        return key == "operations" or key in self._head

    def __iter__(self) -> Iterator[str]:
        return iter((*self._head, "operations"))

    def __len__(self) -> int:
        return len(self._head) + 1


def drawn_network(
    slug: str, title: str, short_title: str, summary: str, source: str, draw: Callable[[], list[Row]]
) -> LazyNetwork:
    """Return the document of a network of a family."""
    words = (("slug", slug), ("title", title), ("short_title", short_title), ("summary", summary), ("source", source))
    return LazyNetwork({"schema": "network/1", **dict(words)}, draw)
