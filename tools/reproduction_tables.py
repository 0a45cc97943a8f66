"""Write the tables of docs that say what was reproduced, from what was computed at release: `python tools/reproduction_tables.py`.

A table stands between `<!-- reproduced: NAME -->` and `<!-- end -->`; NAME is an engine, "all" for a row per method, "artifact" for
its command and tables, "counts" for the verdicts of every method, or "booksim" for how many points of that simulator ours meets.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from engines.registry import get_engine  # noqa: E402
from engines.reproduction.comparisons import ValueComparison, compared  # noqa: E402
from engines.reproduction.reproductions import (  # noqa: E402
    engines_of,
    listed,
    reproducible_engines,
    seconds_of,
    shipped_of,
)
from engines.reproduction.verdicts import VERDICTS, Verdict, verdict_counts  # noqa: E402

_BLOCK = re.compile(r"(<!-- reproduced: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
_NUMBER = r"(?:[A-Z]\.)?(?:\d[\d.]*\d|\d|[IVX]+\b)"
_REFERENCE = re.compile(rf"(Table|Figure)s? ({_NUMBER}(?:(?:, | and | to ){_NUMBER})*)")


def written(text: str) -> str:
    """Return a page with its tables as they must be."""
    tables = {"all": _all, "artifact": _artifact, "counts": _every_verdict, "booksim": _booksim}
    return _BLOCK.sub(
        lambda block: f"{block[1]}{tables[block[2]]() if block[2] in tables else of_method(block[2])}{block[3]}", text
    )


def of_method(engine: str) -> str:
    """Return a row per published table: how many values have which verdict under the first reading."""
    found = _found(engine)
    tables: dict[str, list[ValueComparison]] = {}
    for each in found:
        tables.setdefault(f"{each.first.anchor}: {each.first.group}", []).append(each)
    counts = {title: _counts(members) for title, members in tables.items()} | {"**all**": _counts(found)}
    verdicts = _occurring(counts["**all**"])
    rows = [
        (title, str(sum(count.values())), *(str(count.get(verdict, "")) for verdict in verdicts))
        for title, count in counts.items()
    ]
    return _table(("published table", "values", *verdicts), rows)


def _all() -> str:
    rows = []
    for name in reproducible_engines():
        readings = len({row.reading for row in listed(name)} - {""})
        values = f"{len(_found(name))} under {readings} readings"
        engines, seconds = (
            ", ".join(f"`{each}`" for each in engines_of(name)),
            (seconds_of(name, True), seconds_of(name, False)),
        )
        page = ", ".join(f"`/reproductions/{each}`" for each in dict.fromkeys((name, *engines_of(name))))
        times = " / ".join(f"{each:.0f} s" for each in seconds)
        rows.append((page, get_engine(name).source, engines, values, times))
    return _table(("page", "publication", "engine that is run", "values", "quick / all"), rows)


def _artifact() -> str:
    """Return a row per method: the command, what it computes of the publication, and how long that takes."""
    rows = []
    for name in reproducible_engines():
        found, places = _found(name), dict[str, None]()
        for kind, numbers in _REFERENCE.findall(" ".join(f"{each.first.group} {each.first.where}." for each in found)):
            places |= dict.fromkeys(f"{kind} {number}" for number in re.split(", | and ", numbers))
        words = ", ".join(sorted(places, key=lambda place: place.startswith("Figure")))
        times = (f"{seconds_of(name, quick):.0f} s" for quick in (True, False))
        rows.append((f"`paretoscope reproduce {name}`", words, str(len(found)), *times))
    return _table(("command", "published in", "values", "--quick", "all"), rows)


def _every_verdict() -> str:
    """Return a row per method: how many values, trends and cross-checks have which verdict."""
    counts = {f"[{name}](engines/{name}.md)": _counts(_found(name)) for name in reproducible_engines()}
    total: Counter[Verdict] = Counter()
    for each in counts.values():
        total.update(each)
    counts["**all**"] = total
    rows = [(title, *(str(count.get(verdict, "")) for verdict in _occurring(total))) for title, count in counts.items()]
    return _table(("method", *_occurring(total)), rows)


def _occurring(total: Mapping[Verdict, int]) -> list[Verdict]:
    """Return the verdicts that occur, in their order."""
    return [verdict for verdict in VERDICTS if total.get(verdict)]


def _booksim() -> str:
    """Return the number of points of BookSim's curves that our simulation meets."""
    found = [each.first for each in _found("neksus") if each.first.unit == "points"]
    rows = [(row.name, f"{row.published:.0f}", f"{row.ours:.0f}") for row in found]
    return _table(("points of BookSim", "values", found[0].group.removeprefix("BookSim: points ")), rows)


def _found(engine: str) -> tuple[ValueComparison, ...]:
    shipped = shipped_of(engine)
    return compared(shipped.filled(listed(engine)) if shipped else ())


def _counts(members: Sequence[ValueComparison]) -> Mapping[Verdict, int]:
    return verdict_counts(members, {each.first.key for each in members})


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---"] + ["---:" if head in (*VERDICTS, "values") else "---" for head in heads[1:]]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, rule, *rows))


def main() -> None:
    """Write every page that has such a table."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if written(text) != text:
            page.write_text(written(text), encoding="utf-8")
            print(f"{page.relative_to(ROOT)} written.")


if __name__ == "__main__":
    main()
