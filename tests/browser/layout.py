"""Layout of a page, by its screenshot: where something stands, in blocks of eight pixels, beside how it stood before.

References lie in `layouts/`, one bit a block. Both schemes are held against the same one: colours change, places do not. Words and
points may differ a little; a card that has moved, burst or gone leaves far more blocks without a counterpart.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Page

REFERENCES = Path(__file__).parent / "layouts"
BLOCK_PX = 8
# Between the darkest and the lightest pixel of a block where something stands, of 255: borders of cards differ by twenty.
_CONTRAST = 12
# Of the blocks with something, how many may have no counterpart within a block. Another scheme makes one in a thousand, another
# design of a run six; a head of a card that is higher makes eighty, a card that is gone a hundred and thirty.
MOST_CHANGED = 0.05

# Two cards over each other, a card or a page that is wider than its place, words that are cut off without an ellipsis.
_BURST = """() => {
  const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0;
  const words = e => (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 40);
  const name = e => `${e.tagName.toLowerCase()}.${e.className} "${words(e)}"`;
  const found = [], page = document.documentElement;
  if (page.scrollWidth > innerWidth) { found.push(`the page is ${page.scrollWidth} px wide, the window ${innerWidth}`); }
  const placed = e => !/fixed|absolute/.test(getComputedStyle(e).position);
  const cards = [...document.querySelectorAll(".card")].filter(e => shown(e) && placed(e));
  cards.forEach((one, at) => cards.slice(at + 1).forEach(other => {
    if (one.contains(other) || other.contains(one)) { return; }
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 1) { found.push(`${name(one)} lies over ${name(other)}`); }
  }));
  cards.forEach(card => {
    const box = card.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) { found.push(`${name(card)} reaches beyond the window`); }
    card.querySelectorAll(":scope > .ch > *").forEach(part => {
      const own = part.getBoundingClientRect();
      if (shown(part) && own.right > box.right + 1) { found.push(`${name(part)} reaches beyond ${name(card)}`); }
    });
  });
  document.querySelectorAll("main button, main h1, main h2, main h3, main .chip, header a").forEach(e => {
    const style = getComputedStyle(e);
    if (e.matches(".visually-hidden")) { return; }
    if (shown(e) && style.overflowX === "hidden" && style.textOverflow !== "ellipsis" && e.scrollWidth > e.clientWidth + 2) {
      found.push(`${name(e)} is cut off`);
    }
  });
  return found;
}"""


def burst(page: Page) -> list[str]:
    """What reaches beyond its place or lies over something else, in words."""
    found: list[str] = page.evaluate(_BURST)
    return found


def layout_of(page: Page) -> Any:
    """Where the window shows something: a mapping of blocks, true where one holds any contrast."""
    page.evaluate("document.fonts.ready")
    pixels = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("L"), np.int16)
    rows, columns = (size // BLOCK_PX for size in pixels.shape)
    blocks = pixels[: rows * BLOCK_PX, : columns * BLOCK_PX].reshape(rows, BLOCK_PX, columns, BLOCK_PX)
    return blocks.max(axis=(1, 3)) - blocks.min(axis=(1, 3)) >= _CONTRAST


def changed(one: Any, other: Any) -> float:
    """The share of blocks of either layout without a counterpart in the other, within a block; 1 for windows of different sizes."""
    if one.shape != other.shape:
        return 1.0
    alone = (one & ~_widened(other)).sum() + (other & ~_widened(one)).sum()
    return float(alone / max(1, one.sum() + other.sum()))


def _widened(layout: Any) -> Any:
    rows, columns = layout.shape
    edged = np.pad(layout, 1)
    return np.logical_or.reduce([edged[i : i + rows, j : j + columns] for i in range(3) for j in range(3)])


def keep(name: str, layout: Any) -> None:
    """Keep a layout under a name, where `PARETOSCOPE_LAYOUTS=write` asks for it: for a page that was changed on purpose."""
    if os.environ.get("PARETOSCOPE_LAYOUTS") == "write":
        REFERENCES.mkdir(exist_ok=True)
        Image.fromarray(layout).save(REFERENCES / f"{name}.png", optimize=True)


def reference(name: str) -> Any:
    """The layout that is kept under a name.

    Raises:
        FileNotFoundError: none is kept; says how to.
    """
    path = REFERENCES / f"{name}.png"
    if not path.exists():
        raise FileNotFoundError(f"No layout is kept as {path}: PARETOSCOPE_LAYOUTS=write keeps the one of now.")
    return np.asarray(Image.open(path).convert("1"))
