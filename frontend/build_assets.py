"""Writes the style sheets and pictures that follow from the theme and the icon folder: `python -m frontend.build_assets`.

The files are committed; a test fails when they are not what this module would write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from frontend.folders import ASSETS
from frontend.theme import FONT, HARDWARE, MODELS, MONO, RUNS, SCHEMES, TOKENS, Scheme, edge_of

_SELECTOR: Mapping[Scheme, str] = {"light": ":root", "dark": '[data-mantine-color-scheme="dark"]'}
_NOTICE = "/* Written by frontend.build_assets; change frontend/theme.py or assets/icons instead. */\n"


def tokens_css() -> str:
    """The tokens, hardware finishes, model and run colours as custom properties of the two schemes."""
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
    """One class per icon, `.i-<name>`: the picture as a mask, so that it takes the colour of the text around it."""
    rules = [_NOTICE]
    for path in sorted((ASSETS / "icons").glob("*.svg")):
        picture = quote(_minified(path.read_text()), safe=" ='/:,()")
        rules.append(f'.i-{path.stem}{{--icon:url("data:image/svg+xml,{picture}")}}\n')
    return "".join(rules)


def questions_css() -> str:
    """One class per question that engines answer, `.q-<name>`: its picture as a mask, likewise."""
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
    """The mark: a stepped front with its designs on the accent colour."""
    tokens = TOKENS["light"]
    rings = "".join(
        f'<circle cx="{x}" cy="{y}" r="1.55" fill="{tokens.accent}" stroke="{tokens.on_accent}" stroke-width="1.3"/>'
        for x, y in ((5.5, 5), (7.6, 10.6), (13.4, 12.9))
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18">'
        f'<rect width="18" height="18" rx="4.5" fill="{tokens.accent}"/>'
        f'<path d="M5.5 5v5.6h2.1v2.3h5.8" fill="none" stroke="{tokens.on_accent}" stroke-width="1.3" stroke-linejoin="round"/>'
        f'{rings}<circle cx="12" cy="6" r="1" fill="{tokens.on_accent}" opacity=".65"/></svg>\n'
    )


def generated() -> Mapping[Path, str]:
    """Every written file and its content."""
    return {
        ASSETS / "tokens.css": tokens_css(),
        ASSETS / "icons.css": icons_css(),
        ASSETS / "questions.css": questions_css(),
        ASSETS / "mark.svg": mark_svg(),
    }


if __name__ == "__main__":
    for target, content in generated().items():
        target.write_text(content)
