"""The differences of two documents: key, value before, value after.

Entries of lists that have a name (operations, models) are matched by it, so that one more layer is one difference and not a
shift of all that follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Change = Literal["changed", "added", "removed"]
ABSENT: Final = object()
_NAMING_KEYS = ("name", "slug", "network")


@dataclass(frozen=True)
class Difference:
    """A key with different values in two documents; None where the other document lacks it.

    Attributes:
        key: dotted; `operations[conv1]` is the entry of that name.
    """

    key: str
    before: Any
    after: Any
    change: Change


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """Return the differences in the order of `before`'s keys, what only `after` has last; empty for equal documents."""
    return list(_compare("", before, after))


def _compare(path: str, before: Any, after: Any) -> Iterator[Difference]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        keys = [*before, *(key for key in after if key not in before)]
        for key in keys:
            here = f"{path}.{key}" if path else str(key)
            yield from _compare(here, before.get(key, ABSENT), after.get(key, ABSENT))
    elif isinstance(before, list) and isinstance(after, list) and _named(before) and _named(after):
        yield from _compare_named(path, _by_name(before), _by_name(after))
    elif not _equal(before, after):
        change: Change = "added" if before is ABSENT else "removed" if after is ABSENT else "changed"
        yield Difference(path, None if before is ABSENT else before, None if after is ABSENT else after, change)


def _compare_named(path: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    for name in [*before, *(name for name in after if name not in before)]:
        yield from _compare(f"{path}[{name}]", before.get(name, ABSENT), after.get(name, ABSENT))


def _named(items: Sequence[Any]) -> bool:
    return bool(items) and all(_name_of(item) is not None for item in items)


def _name_of(item: Any) -> str | None:
    if not isinstance(item, Mapping):
        return None
    found = next((item[key] for key in _NAMING_KEYS if key in item), None)
    if isinstance(found, Mapping):  # a scenario's network, written out
        found = found.get("slug")
    return found if isinstance(found, str) else None


def _by_name(items: Sequence[Any]) -> dict[str, Any]:
    """Name -> entry; entries of one name are told apart by a number."""
    seen: Counter[str] = Counter()
    named = {}
    for item in items:
        name = str(_name_of(item))
        seen[name] += 1
        named[name if seen[name] == 1 else f"{name} {seen[name]}"] = item
    return named


def _equal(before: Any, after: Any) -> bool:
    return bool(before == after)
