"""Design tokens, Mantine theme and Plotly templates. The one place where a colour is written.

Hardware is tinted and patterned, software is solid, runs are outlines (letter, marker, dash), accent means selected.
`python -m frontend.build_assets` writes the style sheets that follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

import plotly.graph_objects as go

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)

FONT = '"Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
MONO = '"JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'


@dataclass(frozen=True)
class Tokens:
    """The colours of one scheme, each `#RRGGBB`. `*_weak` are fills behind text of the same name."""

    bg: str
    surface: str
    sunken: str
    border: str
    border_soft: str
    text: str
    text2: str
    text3: str
    accent: str
    accent_text: str
    accent_weak: str
    on_accent: str
    good: str
    warn: str
    bad: str
    good_weak: str
    warn_weak: str
    bad_weak: str
    dot: str
    grid: str
    load_low: str
    load_high: str


TOKENS: Mapping[Scheme, Tokens] = MappingProxyType(
    {
        "light": Tokens(
            bg="#F6F7F9",
            surface="#FFFFFF",
            sunken="#F1F3F6",
            border="#DDE1E7",
            border_soft="#EAEDF1",
            text="#161A20",
            text2="#4E5765",
            text3="#5E6978",
            accent="#4A4FD1",
            accent_text="#4045BD",
            accent_weak="#EDEEFC",
            on_accent="#FFFFFF",
            good="#0A7352",
            warn="#8A5A00",
            bad="#B3311A",
            good_weak="#E3F4EE",
            warn_weak="#FBF0DA",
            bad_weak="#FBE9E5",
            dot="#8B95A3",
            grid="#E9ECF0",
            load_low="#D5DAE1",
            load_high="#20262F",
        ),
        "dark": Tokens(
            bg="#0E1115",
            surface="#15191F",
            sunken="#1B2027",
            border="#2C333D",
            border_soft="#222830",
            text="#E8EBEF",
            text2="#ABB4C0",
            text3="#8D97A5",
            accent="#9197FF",
            accent_text="#A9AEFF",
            accent_weak="#24274A",
            on_accent="#0E1115",
            good="#4CC79B",
            warn="#E3B04B",
            bad="#F28B73",
            good_weak="#12302A",
            warn_weak="#352A12",
            bad_weak="#3A1D18",
            dot="#6F7A88",
            grid="#222830",
            load_low="#39424E",
            load_high="#E8EBEF",
        ),
    }
)


@dataclass(frozen=True)
class Finish:
    """Tint of a fill, the lines of its pattern and its edge."""

    tint: str
    line: str
    edge: str


@dataclass(frozen=True)
class HardwareStyle:
    """How a dataflow or compute unit is drawn.

    Attributes:
        label, short: names for legends and for lanes.
        pattern: Plotly's `fillpattern.shape`; "" is plain.
        finish: per scheme.
    """

    label: str
    short: str
    pattern: str
    finish: Mapping[Scheme, Finish]


def _style(label: str, short: str, pattern: str, light: Sequence[str], dark: Sequence[str]) -> HardwareStyle:
    return HardwareStyle(label, short, pattern, {"light": Finish(*light), "dark": Finish(*dark)})


_BLUE_GREY = (("#E8EEF6", "#C3D0E2", "#7E93B1"), ("#1D2735", "#33445C", "#63799A"))

HARDWARE: Mapping[str, HardwareStyle] = MappingProxyType(
    {
        "nvdla": _style("NVDLA-like", "NVDLA", "/", *_BLUE_GREY),
        "shi-diannao": _style(
            "Shi-diannao-like", "Shi", ".", ("#F7F0E0", "#D3BE91", "#A68D56"), ("#2C271B", "#5C5035", "#94804F")
        ),
        "eyeriss": _style(
            "Eyeriss-like", "Eyeriss", "x", ("#E6F2EA", "#BEDAC7", "#6F9C80"), ("#1A2A21", "#2F4B3B", "#5D8A70")
        ),
        "gpu": _style("GPU", "GPU", "|", ("#EFEAF6", "#D3C8E5", "#8F7FB0"), ("#262033", "#42385A", "#7D6E9C")),
        "dla": _style("DLA", "DLA", "/", *_BLUE_GREY),
        "cpu": _style("CPU", "CPU", "-", ("#EEF0F2", "#D3D8DE", "#858F9C"), ("#22272E", "#3B434D", "#717C8A")),
        "dram": _style("Memory", "DRAM", "", ("#F1F3F6", "#F1F3F6", "#98A2AF"), ("#1B2027", "#1B2027", "#5B6674")),
    }
)

# Kinds of hardware that are dataflows of chiplets; all others are units of a chip.
DATAFLOWS = frozenset({"nvdla", "shi-diannao", "eyeriss"})

# Okabe-Ito in the order in which a workload lists its models; blue comes late because it is near the accent.
MODELS: tuple[str, ...] = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#0072B2", "#4E5765")


@dataclass(frozen=True)
class RunStyle:
    """How a run in a comparison is drawn: never by colour alone."""

    letter: str
    colour: Mapping[Scheme, str]
    symbol: str
    dash: str


RUNS: tuple[RunStyle, ...] = (
    RunStyle("A", {"light": "#4A4FD1", "dark": "#9197FF"}, "circle", "solid"),
    RunStyle("B", {"light": "#A8470B", "dark": "#F0A36B"}, "diamond", "5px,3px"),
    RunStyle("C", {"light": "#0B7C70", "dark": "#4FB3A4"}, "square", "2px,2px"),
    RunStyle("D", {"light": "#161A20", "dark": "#E8EBEF"}, "triangle-up", "8px,3px,2px,3px"),
    RunStyle("E", {"light": "#B0307F", "dark": "#F2A7D6"}, "cross", "1px,3px"),
    RunStyle("F", {"light": "#7A6A00", "dark": "#D8C65A"}, "star", "12px,3px"),
)

SEQUENTIAL = "Cividis"
CLEAR = "rgba(0,0,0,0)"
_INK, _PAPER = "#161A20", "#FFFFFF"


def hardware_style(kind: str) -> HardwareStyle:
    """Return the style of a dataflow or unit; an unknown one gets the plain memory finish under its own name."""
    known = HARDWARE.get(kind)
    return known or HardwareStyle(kind, kind, "", HARDWARE["dram"].finish)


def model_colour(position: int) -> str:
    """Return the colour of the model at `position` (from 0) of its workload.

    From the ninth on all are slate and told by their code.
    """
    return MODELS[min(position, len(MODELS) - 1)]


def mix(first: str, second: str, share: float) -> str:
    """Return `first` with `share` (0..1) of `second` mixed in, in sRGB; both `#RRGGBB`."""
    parts = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in parts)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """Return the relative luminance, 0..1 (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio, 1..21 (WCAG 2.2)."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def ink_on(fill: str) -> str:
    """Return the text colour on a solid fill: near-black or white, whichever reads better."""
    return max((_INK, _PAPER), key=lambda ink: contrast(ink, fill))


def edge_of(fill: str, scheme: Scheme) -> str:
    """Return the one-pixel edge that lifts a light fill to 3:1 against the surface."""
    return mix(fill, _INK, 0.42) if scheme == "light" else mix(fill, _PAPER, 0.15)


def _axis(tokens: Tokens) -> dict[str, Any]:
    return {
        "showgrid": True,
        "gridcolor": tokens.grid,
        "gridwidth": 1,
        "zeroline": False,
        "showline": True,
        "linecolor": tokens.border,
        "linewidth": 1,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": tokens.border,
        "tickfont": {"size": 11, "color": tokens.text2},
        "title": {"font": {"size": 12, "color": tokens.text2}, "standoff": 8},
        "automargin": False,
        "exponentformat": "SI",
        "minexponent": 4,
        "nticks": 7,
        "spikecolor": tokens.text3,
        "spikethickness": 1,
        "spikedash": "2px,2px",
        "spikemode": "across",
    }


def _template(scheme: Scheme) -> go.layout.Template:
    tokens = TOKENS[scheme]
    return go.layout.Template(
        layout={
            "font": {"family": FONT, "size": 12, "color": tokens.text},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "margin": {"l": 52, "r": 16, "t": 28, "b": 40},
            "colorway": [run.colour[scheme] for run in RUNS],
            "separators": ".\u2009",
            "xaxis": _axis(tokens),
            "yaxis": _axis(tokens),
            "showlegend": False,
            "dragmode": "zoom",
            "hovermode": "closest",
            "barcornerradius": 2,
            "hoverlabel": {
                "bgcolor": tokens.surface,
                "bordercolor": tokens.border,
                "align": "left",
                "font": {"family": FONT, "size": 12, "color": tokens.text},
            },
            "legend": {
                "orientation": "h",
                "x": 0,
                "y": 1.02,
                "yanchor": "bottom",
                "font": {"size": 11, "color": tokens.text2},
            },
            "modebar": {"bgcolor": CLEAR, "color": tokens.text3, "activecolor": tokens.accent},
            "newshape": {"line": {"color": tokens.accent, "width": 1}, "fillcolor": tokens.accent, "opacity": 0.12},
            "activeselection": {"fillcolor": tokens.accent, "opacity": 0.08},
            "annotationdefaults": {"showarrow": False, "font": {"size": 11, "color": tokens.text2}},
            "shapedefaults": {"line": {"color": tokens.border, "width": 1}},
            "colorscale": {"sequential": SEQUENTIAL, "sequentialminus": SEQUENTIAL},
        },
        data={
            "scatter": [{"marker": {"size": 6, "line": {"width": 0}}, "line": {"width": 1.5}}],
            "scattergl": [{"marker": {"size": 5, "line": {"width": 0}}, "line": {"width": 1.5}}],
            "bar": [{"marker": {"line": {"width": 0}}}],
        },
    )


TEMPLATES: Mapping[Scheme, go.layout.Template] = {scheme: _template(scheme) for scheme in SCHEMES}

MANTINE_THEME: Mapping[str, Any] = {
    "primaryColor": "accent",
    "primaryShade": {"light": 6, "dark": 4},
    "defaultRadius": "sm",
    "fontFamily": FONT,
    "fontFamilyMonospace": MONO,
    "autoContrast": True,
    "luminanceThreshold": 0.35,
    "cursorType": "pointer",
    "focusRing": "auto",
    "respectReducedMotion": True,
    "colors": {
        "accent": [
            "#EDEEFC", "#DADCF8", "#BFC2F5", "#A5A9F7", "#9197FF", "#6065E2", "#4A4FD1", "#4045BD", "#3539A0", "#2A2D80",
        ],
        "gray": [
            "#F6F7F9", "#F1F3F6", "#EAEDF1", "#DDE1E7", "#C3CAD3", "#8B95A3", "#5E6978", "#4E5765", "#2F3742", "#161A20",
        ],
        "dark": [
            "#E8EBEF", "#ABB4C0", "#8D97A5", "#4A535F", "#2C333D", "#222830", "#1B2027", "#15191F", "#0E1115", "#090B0E",
        ],
    },
    "fontSizes": {"xs": "11px", "sm": "12px", "md": "13px", "lg": "15px", "xl": "20px"},
    "lineHeights": {"xs": "1.35", "sm": "1.4", "md": "1.45", "lg": "1.4", "xl": "1.3"},
    "spacing": {"xs": "4px", "sm": "8px", "md": "12px", "lg": "16px", "xl": "24px"},
    "radius": {"xs": "4px", "sm": "6px", "md": "8px", "lg": "10px", "xl": "14px"},
    "headings": {
        "fontWeight": "600",
        "sizes": {"h1": {"fontSize": "20px"}, "h2": {"fontSize": "15px"}, "h3": {"fontSize": "13px"}},
    },
    "components": {
        name: {"defaultProps": {"size": "xs"}}
        for name in (
            "Button", "TextInput", "NumberInput", "Select", "MultiSelect", "SegmentedControl", "Slider", "RangeSlider",
            "Switch", "Checkbox", "Textarea", "Radio",
        )
    }
    | {
        "ActionIcon": {"defaultProps": {"variant": "subtle", "color": "gray"}},
        "Tooltip": {"defaultProps": {"openDelay": 300, "withArrow": True}},
    },
}  # fmt: skip
