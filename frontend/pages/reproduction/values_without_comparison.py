"""Published values without a comparison: every value with the reason, collapsed, as a table per reason."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html
from dash.development.base_component import Component

from engines.reproduction.published_values import NotCompared, PublishedValue
from engines.reproduction.reproductions import not_compared_of, published_of
from frontend.components.card import card
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING

_DENSE = 1.3  # cells of a grid per value, at most


def uncompared_card(engine: str) -> list[Component]:
    """Return one card, or none where every published value has a row."""
    entries, every = not_compared_of(engine), len(published_of(engine))
    left = sum(len(entry.values) for entry in entries)
    if not left:
        return []
    subtitle = (
        f"{every - left} of {every} published values have a row; the other {left} are listed here with the reason"
    )
    folded = [html.Details([_summary(entry), _values(entry.values)]) for entry in entries]
    return [
        card(
            "Published values without a comparison",
            html.Div(folded, className="stack g8 repro-left"),
            subtitle=subtitle,
        )
    ]


def _summary(entry: NotCompared) -> Component:
    places = ", ".join(dict.fromkeys(value.where for value in entry.values))
    count = f"{len(entry.values)} value{'s' if len(entry.values) > 1 else ''}"
    return html.Summary([html.Span(f"{places}: {count}. ", className="m5"), html.Span(entry.because, className="t2")])


def _values(values: Sequence[PublishedValue]) -> Component:
    """Return a row per thing and a column per quantity where most things have most of them, else a row per value."""
    names = [value.name.split(".") for value in values]
    parts = [name[_shared(names) :] for name in names]
    last = _shared([part[::-1] for part in parts])
    title = _plain(" ".join(parts[0][len(parts[0]) - last :])) if last else "Of"
    parts = [part[: len(part) - last] for part in parts]
    pairs = [(" ".join(part[:-1]), part[-1]) for part in parts]
    things, quantities = (list(dict.fromkeys(pair[at] for pair in pairs)) for at in (0, 1))
    if len(things) == 1 or len(quantities) == 1 or len(things) * len(quantities) > _DENSE * len(values):
        columns = [Column(title), Column("Printed", number=True), Column("Place")]
        rows: list[list[Component | str]] = [
            [_plain(" ".join(part)), _words(value, True), value.where]
            for part, value in zip(parts, values, strict=True)
        ]
        return html.Div(plain_table(columns, rows, tight=True), className="repro-table repro-printed")
    cells = dict(zip(pairs, values, strict=True))
    units = {q: {cells[thing, q].unit for thing in things if (thing, q) in cells} for q in quantities}
    columns = [Column(title), *[Column(_plain(q), number=True, unit=_only(units[q])) for q in quantities]]
    grid: list[list[Component | str]] = [
        [_plain(thing), *[_words(cells.get((thing, q)), not _only(units[q])) for q in quantities]] for thing in things
    ]
    return html.Div(plain_table(columns, grid, tight=True), className="repro-table repro-printed")


def _shared(names: Sequence[Sequence[str]]) -> int:
    """Return the number of leading parts that all names share, without the last part of any."""
    fewest, first = min(map(len, names)) - 1, names[0]
    return next((at for at in range(fewest) if any(name[at] != first[at] for name in names)), max(fewest, 0))


def _only(units: set[str]) -> str:
    return next(iter(units)) if len(units) == 1 else ""


def _plain(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")


def _words(value: PublishedValue | None, with_unit: bool) -> str:
    """Return a value as it is printed: no digit more or less."""
    if value is None:
        return MISSING
    words = value.value if isinstance(value.value, str) else f"{value.value:.10g}"
    return f"{words}\u00a0{value.unit}".rstrip() if with_unit else words
