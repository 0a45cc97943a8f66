"""Blocks with words and links between them, as pictures of devices are made of; pixels from the top left."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.figures.drawing import Box, Entry, arrow, filled, fitted, hardware_fill, rounded, texts
from frontend.theme import TOKENS, Scheme, hardware_style

Words = tuple[float, float, str, str]
LINE_PX = 16.0


class Blocks:
    """A picture in the making; its traces lie on each other in the order in which they were asked for, words on top."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme, self.tokens = scheme, TOKENS[scheme]
        self.shapes: list[Entry] = []
        self.words: dict[tuple[float, str], list[Words]] = {}

    def body(self, kind: str, box: Box, radius: float = 6) -> None:
        """Draw a rounded block in the tint and pattern of a kind of hardware."""
        style = hardware_style(kind)
        finish = style.finish[self.scheme]
        self.shapes.append(
            filled([rounded(box, radius)], finish.tint, finish.edge, **hardware_fill(style, self.scheme))
        )

    def plate(self, kind: str, box: Box, radius: float = 4) -> None:
        """Draw a plain ground for words on a patterned block."""
        self.shapes.append(filled([rounded(box, radius)], hardware_style(kind).finish[self.scheme].tint))

    def squares(self, kind: str, boxes: list[Box]) -> None:
        """Draw small solid squares, such as cores."""
        finish = hardware_style(kind).finish[self.scheme]
        self.shapes.append(filled([rounded(box, 2) for box in boxes], finish.line, finish.edge))

    def link(self, x: float, top: float, bottom: float, width: float = 1.5) -> None:
        """Draw an upright arrow with a head at both ends."""
        ends = [arrow(x, (top + bottom) / 2, x, end, width) for end in (top, bottom)]
        self.shapes.append(filled(ends, self.tokens.dot))

    def write(self, x: float, y: float, text: str, size: float, where: str, quiet: bool = False) -> None:
        """Draw words at a place; `where` as Plotly names text positions."""
        colour = self.tokens.text2 if quiet else self.tokens.text
        self.words.setdefault((size, where), []).append((x, y, text, colour))

    def single(self, title: str, lines: Sequence[str], canvas: Box) -> None:
        """Draw one block in the middle: a title and lines below it."""
        step = LINE_PX * 1.2
        high, wide = min(canvas.height, 60 + step * len(lines)), min(canvas.width, 420.0)
        x, y = canvas.centre
        box = Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        self.body("dram", box)
        self.write(x, box.top + 20, f"<b>{fitted(title, box.width - 24, 13)}</b>", 13, "middle center")
        for index, line in enumerate(lines):
            self.write(x, box.top + 46 + index * step, fitted(line, box.width - 24, 12), 12, "middle center")

    def named(self, kind: str, box: Box, title: str, lines: Sequence[str]) -> None:
        """Draw a block with its title and lines on plain ground, from its top left."""
        self.body(kind, box)
        inside = box.inset(8)
        shown = list(lines)[: max(0, int((inside.height - LINE_PX) // LINE_PX))]
        self.plate(kind, Box(box.left + 4, box.top + 4, box.right - 4, box.top + 12 + LINE_PX * (1 + len(shown))))
        self.write(inside.left, inside.top + 7, f"<b>{fitted(title, inside.width, 12)}</b>", 12, "middle right")
        for index, line in enumerate(shown):
            y = inside.top + 7 + LINE_PX * (index + 1)
            self.write(inside.left, y, fitted(line, inside.width, 11), 11, "middle right", quiet=True)

    def traces(self) -> list[Entry]:
        """Return everything, for `drawing.figure`."""
        return [*self.shapes, *(texts(items, size, where) for (size, where), items in self.words.items())]
