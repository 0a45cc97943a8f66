"""A drawn network as a document: what lists show is at hand, the operations are drawn when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engines.workloads.families.drawing import Row


class LazyNetwork(Mapping[str, Any]):
    """The content of a `network/1` document whose operations are made on first use.

    Args:
        head: every key but `operations`.
        draw: makes the rows of `operations`.
    """

    def __init__(self, head: Mapping[str, Any], draw: Callable[[], list[Row]]) -> None:
        self._content: dict[str, Any] = dict(head)
        self._draw = draw

    def __getitem__(self, key: str) -> Any:
        if key == "operations" and key not in self._content:
            # Of two threads that draw at the same time the first one's rows stay.
            return self._content.setdefault(key, self._draw())
        return self._content[key]

    def __contains__(self, key: object) -> bool:
        return key == "operations" or key in self._content

    def __iter__(self) -> Iterator[str]:
        return iter([*(key for key in self._content if key != "operations"), "operations"])

    def __len__(self) -> int:
        return len(self._content) + ("operations" not in self._content)


def drawn_network(
    slug: str, title: str, short_title: str, summary: str, source: str, draw: Callable[[], list[Row]]
) -> LazyNetwork:
    """The document of a network of a family."""
    words = (("slug", slug), ("title", title), ("short_title", short_title), ("summary", summary), ("source", source))
    return LazyNetwork({"schema": "network/1", **dict(words)}, draw)
