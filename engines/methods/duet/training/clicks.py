"""Click logs as arrays, and a generated one whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.integer_format import counted
from engines.data.click_log import Clicks
from engines.methods.duet.recommender import Recommender, Side, Tables

_ITEMS, _GENRES, _HISTORY, _STATIC, _DYNAMIC, _TASTE = 100, 12, 8, 14, 2, 2
_STATIC_SHARE = 0.875  # goyal-2023 section 5.3
_SHARES = (0.7, 0.1, 0.2)  # of rows, to learn from, to choose by, to report on


@dataclass(frozen=True, eq=False)
class ClickLog:
    """Impressions of candidates, each clicked or not.

    Attributes:
        title: words for pages.
        dense: inputs of the bottom MLP, the static ones first, shape `n x f`; f may be 0.
        history: ids that the user's history looks up, by table, shape `n x lookups` each.
        candidate: those of the candidate, likewise.
        labels: 1 where it was clicked, shape `n`.
        tables: as a recommender has them, one by one: those of the history first, shared ones in both.
        static_share: static share of the dense inputs.
        truth: the probability with which each was clicked, shape `n`; None where nobody knows it.
    """

    title: str
    dense: FloatArray
    history: tuple[IntArray, ...]
    candidate: tuple[IntArray, ...]
    labels: IntArray
    tables: tuple[Tables, ...]
    static_share: float
    truth: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def splits(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the rows to learn from, to choose by and to report on, in the order of the log: the last are the newest."""
        ends = np.cumsum([int(len(self) * share) for share in _SHARES[:2]])
        first, second, third = np.split(np.arange(len(self)), ends)
        return first, second, third

    def recommender(self, bottom: tuple[int, ...], top: tuple[int, ...], dimension: int) -> Recommender:
        """Return the monolithic model of this log; `bottom` and `top` are widths of layers, without inputs."""
        widths = (self.dense.shape[1], *bottom) if self.dense.shape[1] else ()
        return Recommender(self.title, widths, top, dimension, self.tables, self.static_share, min(2, len(top) - 1))


def loaded(clicks: Clicks) -> ClickLog:
    """Return an uploaded log, none of whose dense inputs is known to be static: as many as the publication assumes."""
    tables, history, candidate = [], [], []
    for table in clicks.tables:
        before, offered = table.history.shape[1], table.candidate.shape[1]
        side: Side = "shared" if before and offered else "user" if before else "item"
        tables.append(Tables(side, 1, before + offered, table.entries))
        history += [table.history] if before else []
        candidate += [table.candidate] if offered else []
    return ClickLog(
        clicks.title, clicks.dense, tuple(history), tuple(candidate), clicks.labels, tuple(tables), _STATIC_SHARE
    )


def generated(rows: int, stream: Callable[..., np.random.Generator]) -> ClickLog:
    """Return a log that is drawn: users with tastes, items of genres, and clicks by a probability that is kept as the truth.

    The logit of a click is the product of the user's taste with the item's, three of the static inputs, and the product of a
    dynamic input with what the item's genre is worth (as by day and night).
    """
    draw = stream("clicks")
    genre_of = draw.integers(_GENRES, size=_ITEMS)
    genre_taste = draw.normal(size=(_GENRES, _TASTE))
    item_taste = 0.95 * genre_taste[genre_of] + 0.3 * draw.normal(size=(_ITEMS, _TASTE))
    by_day = draw.normal(size=_GENRES)
    taste = draw.normal(size=(rows, _TASTE))
    liked = _liked(taste, item_taste, draw)
    static, dynamic = draw.normal(size=(rows, _STATIC)), draw.normal(size=(rows, _DYNAMIC))
    item = draw.integers(_ITEMS, size=rows)
    logit = (
        1.0 * (taste * item_taste[item]).sum(axis=1)
        + 0.8 * static[:, 0]
        - 0.5 * np.abs(static[:, 1] - static[:, 2])
        + 0.5 * dynamic[:, 0] * by_day[genre_of[item]]
    )
    truth = 1 / (1 + np.exp(-logit))
    labels = (draw.random(rows) < truth).astype(np.int64)
    tables = (
        Tables("user", 1, _HISTORY, _ITEMS), Tables("user", 1, _HISTORY, _GENRES), Tables("item", 1, 1, _ITEMS),
        Tables("item", 1, 1, _GENRES),
    )  # fmt: skip
    return ClickLog(
        f"Generated log of {counted(rows)} impressions", np.concatenate([static, dynamic], axis=1), (liked, genre_of[liked]),
        (item[:, None], genre_of[item][:, None]), labels, tables, _STATIC / (_STATIC + _DYNAMIC), truth,
    )  # fmt: skip


def _liked(taste: FloatArray, item_taste: FloatArray, draw: np.random.Generator) -> IntArray:
    """Return the items that users of a taste like, the best of twice as many as drawn at random, shape `n x history`."""
    offered = draw.integers(len(item_taste), size=(len(taste), 4 * _HISTORY))
    worth = (taste[:, None] * item_taste[offered]).sum(axis=2) + draw.normal(size=offered.shape)
    best = np.argsort(-worth, axis=1, kind="stable")[:, :_HISTORY]
    return np.take_along_axis(offered, best, axis=1)
