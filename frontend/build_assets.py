"""Writes the style sheets and pictures that follow from the theme and the icon folder: `python -m frontend.build_assets`.

The files are committed; a test fails when they are not what this module would write.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from PIL import Image, ImageDraw

from frontend.folders import ASSETS
from frontend.theme import FONT, HARDWARE, MODELS, MONO, RUNS, SCHEMES, TOKENS, Scheme, edge_of

_SELECTOR: Mapping[Scheme, str] = {"light": ":root", "dark": '[data-mantine-color-scheme="dark"]'}
# The mark: side of its square, its corners' radius, width of its lines, radius of its rings; the rings in the order of the front,
# and the design behind it.
_SIDE, _CORNER, _LINE, _RING = 18, 4.5, 1.3, 1.55
_RINGS, _BEHIND = ((5.5, 5.0), (7.6, 10.6), (13.4, 12.9)), (12.0, 6.0)
_BEHIND_RADIUS, _BEHIND_SHARE = 1.0, 0.65
_ICON_SIDES_PX = (16, 32)
_NOTICE = "/* Written by frontend.build_assets; change frontend/theme.py or assets/icons instead. */\n"


def tokens_css() -> str:
    """Return the tokens, hardware finishes, model and run colours as custom properties of the two schemes."""
    blocks = [_NOTICE, f":root{{--p-font:{FONT};--p-mono:{MONO}}}\n"]
    for scheme in SCHEMES:
        names = {f"--p-{key.replace('_', '-')}": value for key, value in asdict(TOKENS[scheme]).items()}
        for kind, style in HARDWARE.items():
            finish = style.finish[scheme]
            names |= {f"--hw-{kind}-{part}": getattr(finish, part) for part in ("tint", "line", "edge")}
        for position, colour in enumerate(MODELS):
            names |= {f"--model-{position}": colour, f"--model-{position}-edge": edge_of(colour, scheme)}
        names |= {f"--run-{run.letter.lower()}": run.colour[scheme] for run in RUNS}
        lines = "".join(f"  {name}: {value};\n" for name, value in names.items())
        blocks.append(f"{_SELECTOR[scheme]} {{\n  color-scheme: {scheme};\n{lines}}}\n")
    return "".join(blocks)


def icons_css() -> str:
    """Return one class per icon, `.i-<name>`: the picture as a mask, so that it takes the colour of the text around it."""
    rules = [_NOTICE]
    for path in sorted((ASSETS / "icons").glob("*.svg")):
        picture = quote(_minified(path.read_text()), safe=" ='/:,()")
        rules.append(f'.i-{path.stem}{{--icon:url("data:image/svg+xml,{picture}")}}\n')
    return "".join(rules)


def questions_css() -> str:
    """Return one CSS class per question of the engines, `.q-<name>`, with its picture as a mask."""
    rules = [_NOTICE]
    for path in sorted((ASSETS / "questions").glob("*.svg")):
        drawn = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", path.read_text())).strip().replace('"', "'")
        picture = quote(drawn, safe=" ='/:,()")
        rules.append(f'.q-{path.stem}{{--icon:url("data:image/svg+xml,{picture}")}}\n')
    return "".join(rules)


def _minified(svg: str) -> str:
    svg = re.sub(r'\s+(class|width|height)="[^"]*"', "", svg)
    svg = svg.replace('<path stroke="none" d="M0 0h24v24H0z" fill="none" />', "").replace(
        'stroke-width="2"', 'stroke-width="1.75"'
    )
    return re.sub(r">\s+<", "><", re.sub(r"\s+", " ", svg)).strip().replace('"', "'")


def mark_svg() -> str:
    """Return the mark: a stepped front with its designs on the accent colour."""
    tokens = TOKENS["light"]
    rings = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{_RING}" fill="{tokens.accent}" stroke="{tokens.on_accent}" stroke-width="{_LINE}"/>'
        for x, y in _RINGS
    )
    (x, y), *rest = _RINGS
    steps = f"M{x:g} {y:g}" + "".join(f"V{y:g}H{x:g}" for x, y in rest)
    x, y = _BEHIND
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIDE} {_SIDE}">'
        f'<rect width="{_SIDE}" height="{_SIDE}" rx="{_CORNER}" fill="{tokens.accent}"/>'
        f'<path d="{steps}" fill="none" stroke="{tokens.on_accent}" stroke-width="{_LINE}" stroke-linejoin="round"/>'
        f'{rings}<circle cx="{x:g}" cy="{y:g}" r="{_BEHIND_RADIUS:g}" fill="{tokens.on_accent}" opacity="{_BEHIND_SHARE}"/></svg>\n'
    )


def favicon_ico() -> bytes:
    """Return the icon as pixels, for browsers that request `/favicon.ico` because the page names no icon."""
    tokens, fine = TOKENS["light"], 32  # so many pixels per unit of the mark, of which means are taken
    picture = Image.new("RGB", (_SIDE * fine, _SIDE * fine), tokens.accent)
    draw = ImageDraw.Draw(picture, "RGBA")
    (x, y), *rest = _RINGS
    for to_x, to_y in rest:
        corners = [(fine * at[0], fine * at[1]) for at in ((x, y), (x, to_y), (to_x, to_y))]
        draw.line(corners, tokens.on_accent, round(fine * _LINE), "curve")
        x, y = to_x, to_y
    for x, y in _RINGS:
        draw.circle(
            (fine * x, fine * y), fine * (_RING + _LINE / 2), tokens.accent, tokens.on_accent, round(fine * _LINE)
        )
    x, y = _BEHIND
    draw.circle((fine * x, fine * y), fine * _BEHIND_RADIUS, tokens.on_accent + f"{round(255 * _BEHIND_SHARE):02X}")
    square = Image.new("L", picture.size)
    ImageDraw.Draw(square).rounded_rectangle((0, 0, *picture.size), fine * _CORNER, 255)
    picture.putalpha(square)
    small, *larger = (picture.reduce(picture.width // side) for side in _ICON_SIDES_PX)
    content = io.BytesIO()
    sizes = [(side, side) for side in _ICON_SIDES_PX]
    larger[-1].save(
        content, "ICO", sizes=sizes, append_images=[small, *larger], bitmap_format="bmp"
    )  # no compression, which differs
    return content.getvalue()


def generated() -> Mapping[Path, bytes]:
    """Return every written file and its content."""
    return {
        ASSETS / "tokens.css": tokens_css().encode(),
        ASSETS / "icons.css": icons_css().encode(),
        ASSETS / "questions.css": questions_css().encode(),
        ASSETS / "mark.svg": mark_svg().encode(),
        ASSETS / "favicon.ico": favicon_ico(),
    }


if __name__ == "__main__":
    for target, content in generated().items():
        target.write_bytes(content)
