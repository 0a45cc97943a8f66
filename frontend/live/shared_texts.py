"""Answers that are the same for everybody who looks at a run: made once, by whoever asks first, while the others wait."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

# However short the texts are: keys take room, too.
MOST_TEXTS = 2_000


class SharedTexts:
    """The texts asked for last, as many as fit into `capacity_bytes`.

    A key says everything that the text depends on, so that nothing kept ever grows old. Whoever asks has been asked for
    their right to see it before.
    """

    def __init__(self, capacity_bytes: int) -> None:
        self._capacity_bytes = capacity_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, str] = OrderedDict()
        self._turns: dict[Hashable, threading.Lock] = {}
        self._bytes = 0

    def get(self, key: Hashable, make: Callable[[], str]) -> str:
        """The text of `key`; `make` is called by one at a time, and not again while its answer is kept."""
        text = self._look(key)
        if text is not None:
            return text
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        try:
            with turn:
                text = self._look(key)
                return self._keep(key, make()) if text is None else text
        finally:
            with self._lock:
                self._turns.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _look(self, key: Hashable) -> str | None:
        with self._lock:
            text = self._kept.get(key)
            if text is not None:
                self._kept.move_to_end(key)
            return text

    def _keep(self, key: Hashable, text: str) -> str:
        with self._lock:
            self._bytes += len(text) - len(self._kept.pop(key, ""))
            self._kept[key] = text
            # The newest stays, however large.
            while len(self._kept) > 1 and (self._bytes > self._capacity_bytes or len(self._kept) > MOST_TEXTS):
                self._bytes -= len(self._kept.popitem(last=False)[1])
        return text
