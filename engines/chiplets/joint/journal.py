"""The journal of a search over all windows: a run that was stopped continues from it without repeating the search.

The order of the steps follows from the problem alone. A search that continues walks through them again and takes what the journal
holds in place of searching, so that it comes to the same end. Entries are JSON values and bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engines.chiplets.windows.options import WindowOption
from engines.chiplets.windows.stored_options import option_from_json, option_to_json

Entry = dict[str, Any]


class Journal:
    """The steps of one search.

    Attributes:
        entries: all of them, those included that were not walked through again yet.
    """

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.entries = list(entries)
        self._next = 0

    def known(self) -> Entry | None:
        """Return the next step of the journal; None if it has to be searched and then noted."""
        if self._next == len(self.entries):
            return None
        self._next += 1
        return self.entries[self._next - 1]

    def note(self, entry: Entry) -> None:
        """Add what the step found for which nothing was known."""
        self.entries.append(entry)
        self._next = len(self.entries)


@dataclass(frozen=True)
class Extension:
    """How a partial schedule may continue.

    Attributes:
        options: mappings of the next window; None if they are too many.
        states: number of visited states.
        made: names of what was worked out on the way and is shared by later extensions: its states count once.
    """

    options: Sequence[WindowOption] | None
    states: int
    made: tuple[str, ...] = ()

    def entry(self, kept: Sequence[WindowOption]) -> Entry:
        """Return the content for a journal; of the options only those that the search continued with."""
        options = None if self.options is None else [option_to_json(option) for option in kept]
        return {"options": options, "states": int(self.states), "made": list(self.made)}


def extension_of(entry: Entry) -> Extension:
    """Return the extension that `Extension.entry` wrote."""
    options = entry["options"]
    found = None if options is None else tuple(option_from_json(option) for option in options)
    return Extension(found, entry["states"], tuple(entry["made"]))
