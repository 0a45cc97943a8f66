"""Draw docs/images/architecture.svg from the imports: the layers, and the packages of each above those that they import.

python -m tools.make_architecture_picture
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from xml.sax.saxutils import escape

from tests.test_circles import all_modules, graph_of_all, part_graphs

FILE = Path(__file__).resolve().parent.parent / "docs" / "images" / "architecture.svg"
# Layer -> what the picture says of it. A layer imports only those below it.
LAYERS = {
    "paretoscope": "command, start of the site, names for notebooks",
    "frontend": "pages and figures; asks webapp for data",
    "webapp": "projects, runs and workers, REST; the database",
    "engines": "methods, cost models, searches; no web, no database",
    "hardware": "documents that describe hardware, with units and sources",
}
WIDTH, MARGIN, LABEL_WIDTH = 900, 24, 190
BOX_HEIGHT, GAP, BAND_PADDING = 30, 8, 14
CHARACTER_WIDTH = 7.6
STYLE = (
    "text{font-family:Inter,system-ui,sans-serif;fill:#1b2330}.t{font-size:17px;font-weight:600}"
    ".s{font-size:12px;fill:#5b6472}.l{font-size:13px;text-anchor:middle}"
)


def package_rows(layer: str, parts: Mapping[str, Set[str]], packages: Set[str]) -> list[list[str]]:
    """Return the packages of a layer in rows; each imports only packages in rows below its own.

    Args:
        layer: name of the layer.
        parts: module or package of the layer -> those of the layer that it imports.
        packages: the packages, without single modules.
    """
    heights: dict[str, int] = {}
    for name in TopologicalSorter({name: set(used) for name, used in parts.items()}).static_order():
        used = [heights[each] for each in parts.get(name, ())]
        heights[name] = max(used, default=-1) + (name in packages)
    shown = sorted(name for name in packages if name.rpartition(".")[0] == layer)
    rows = [[name for name in shown if heights.get(name, 0) == height] for height in range(len(shown))]
    return [row for row in reversed(rows) if row]


@cache
def layer_rows() -> dict[str, list[list[str]]]:
    """Return the rows of packages of every layer of the product."""
    parts = part_graphs(graph_of_all())
    packages = {name for name, path in all_modules().items() if path.name == "__init__.py"}
    return {layer: package_rows(layer, parts.get(layer, {}), packages) for layer in LAYERS}


def picture(layers: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """Return the picture as SVG: one band per layer, one box per package."""
    parts: list[str] = []
    top = MARGIN
    for layer, rows in layers.items():
        height = max(2 * BAND_PADDING + max(len(rows), 1) * (BOX_HEIGHT + GAP) - GAP, 84)
        parts += _band(layer, rows, top, height)
        top += height + MARGIN
        if layer != "hardware":
            parts.append(
                f'<path d="M{MARGIN + 60} {top - MARGIN}v{MARGIN - 4}" stroke="#3056d3" stroke-width="2" marker-end="url(#a)"/>'
            )
    title = "Layers and packages of the product. A layer imports only layers below it, a package only those in rows below it."
    size = f'viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" role="img" aria-labelledby="title"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    arrow = (
        '<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L10 5L0 10z" fill="#3056d3"/></marker></defs>'
    )
    frame = [head, f'<title id="title">{title}</title>', f"<style>{STYLE}</style>", arrow]
    return "\n".join([*frame, f'<rect width="{WIDTH}" height="{top}" fill="#fafbfc"/>', *parts, "</svg>\n"])


def _band(layer: str, rows: Sequence[Sequence[str]], top: int, height: int) -> list[str]:
    width = WIDTH - 2 * MARGIN
    parts = [f'<rect x="{MARGIN}" y="{top}" width="{width}" height="{height}" rx="8" fill="#eef2ff" stroke="#3056d3"/>']
    parts.append(f'<text x="{MARGIN + 14}" y="{top + 30}" class="t">{layer}</text>')
    for number, line in enumerate(_lines(LAYERS[layer], 26)):
        parts.append(f'<text x="{MARGIN + 14}" y="{top + 50 + 16 * number}" class="s">{escape(line)}</text>')
    y = top + BAND_PADDING
    for row in rows:
        x = float(MARGIN + LABEL_WIDTH)
        for name in row:
            label = name.removeprefix(f"{layer}.")
            box = len(label) * CHARACTER_WIDTH + 18
            parts.append(
                f'<rect x="{x:.0f}" y="{y}" width="{box:.0f}" height="{BOX_HEIGHT}" rx="5" fill="#ffffff" stroke="#5b6472"/>'
            )
            parts.append(f'<text x="{x + box / 2:.0f}" y="{y + 20}" class="l">{escape(label)}</text>')
            x += box + GAP
        y += BOX_HEIGHT + GAP
    return parts


def _lines(words: str, length: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= length:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


if __name__ == "__main__":
    FILE.write_text(picture(layer_rows()))
