"""The designs of the front as traces: dominated, infeasible, excluded, new, the stepped front; density and lasso behind them."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, IntArray
from engines.contract.quantities import Quantity
from frontend.figures.drawing import Entry
from frontend.figures.front.front_marks import Frame
from frontend.figures.numbers import scale_of
from frontend.theme import SEQUENTIAL

if TYPE_CHECKING:
    from frontend.figures.front.front_parts import Cloud, Density


WEBGL_FROM = 2000
SMALLEST_PX, LARGEST_PX = 3.0, 13.0
# Alpha of the fullest cell of the density.
_DENSEST = 150


def hover_template(cloud: Cloud, frame: Frame) -> str:
    """Return name and values with units, each with the sign of its certainty, the word and the error band."""
    x, y = (
        f"{q.title} %{{{axis}:.4~r}}\u00a0{scale.unit}{_certainty(q)}"
        for q, axis, scale in ((cloud.x, "x", frame.x_scale), (cloud.y, "y", frame.y_scale))
    )
    return f"<b>Design %{{customdata}}</b><br>{x}<br>{y}<extra></extra>"


def _certainty(quantity: Quantity) -> str:
    return "" if quantity.certainty is None else f"  {quantity.certainty.label}"


def cloud_traces(cloud: Cloud, frame: Frame, hidden: Sequence[str]) -> list[Entry]:
    """Return all designs but the baselines; every trace has a name, by which the browser finds it."""
    tokens = frame.tokens
    opacity = 0.30 if frame.scheme == "light" else 0.42
    kept = np.ones(len(cloud.numbers), bool) if cloud.kept is None else cloud.kept
    infeasible = np.zeros(len(cloud.numbers), bool) if cloud.infeasible is None else cloud.infeasible
    on_front = np.zeros(len(cloud.numbers), bool)
    on_front[cloud.front] = True
    member = on_front if cloud.member is None else cloud.member & ~infeasible
    others = cloud.searched[~on_front[cloud.searched] & ~infeasible[cloud.searched]]
    dominated = others[~member[others]] if "dominated" not in hidden else others[:0]
    traces = []
    if len(dominated):
        bright, faint = dominated[kept[dominated]], dominated[~kept[dominated]]
        look: Entry = {"size": 3.4, "color": tokens.dot, "opacity": opacity}
        traces.append(_points(cloud, frame, bright, **look) | {"name": "dominated"})
        if len(faint):
            look |= {"size": 3, "opacity": opacity / 3}
            traces.append(_points(cloud, frame, faint, plain=True, **look) | {"name": "excluded"})
    broken = cloud.searched[infeasible[cloud.searched] & kept[cloud.searched]]
    if len(broken) and "infeasible" not in hidden:
        look = {"size": 4.5, "symbol": "x-thin", "opacity": 0.5, "line": {"width": 1, "color": tokens.bad}}
        traces.append(_points(cloud, frame, broken, plain=True, color=tokens.bad, **look) | {"name": "infeasible"})
    if cloud.fresh is not None and cloud.fresh.any():
        fresh = cloud.searched[cloud.fresh[cloud.searched]]
        traces.append(
            _points(cloud, frame, fresh, plain=True, size=5, color=tokens.accent, opacity=0.55) | {"name": "new"}
        )
    # Not dominated over all objectives, though over these two.
    rest = others[member[others] & kept[others]]
    if len(rest):
        ring = {"color": tokens.accent, "width": 1}
        traces.append(
            _points(cloud, frame, rest, size=3.6, color=tokens.surface, line=ring) | {"name": "also on the front"}
        )
    return traces + _front_traces(cloud, frame, kept)


def _points(cloud: Cloud, frame: Frame, positions: IntArray, plain: bool = False, **marker: Any) -> Entry:
    """Return the markers of the designs at `positions`: 32-bit values, drawn by WebGL where there are many."""
    return {
        "type": "scattergl" if len(cloud.searched) > WEBGL_FROM else "scatter",
        "mode": "markers",
        "x": (cloud.x_values[positions] * frame.x_scale.factor).astype(np.float32),
        "y": (cloud.y_values[positions] * frame.y_scale.factor).astype(np.float32),
        "customdata": cloud.numbers[positions],
        "marker": marker if plain else marker | _coloured(cloud, frame, positions) | _sized(cloud, positions),
        "hovertemplate": hover_template(cloud, frame),
    }


def _coloured(cloud: Cloud, frame: Frame, positions: IntArray) -> Entry:
    if cloud.colour is None:
        return {}
    quantity, values = cloud.colour
    finite = values[np.isfinite(values)]
    if not len(finite):
        return {}
    scale = scale_of(finite, quantity.unit)
    low, high = (float(np.quantile(finite, share)) * scale.factor for share in (0.01, 0.99))
    unit = f" ({scale.unit})" if scale.unit else ""
    bar = {"thickness": 8, "outlinewidth": 0, "x": 1.0, "xpad": 4, "len": 0.9, "tickfont": {"size": 10}, "nticks": 5}
    bar |= {"title": {"text": quantity.title + unit, "side": "right", "font": {"size": 11}}}
    look = {"color": (values[positions] * scale.factor).astype(np.float32), "colorscale": SEQUENTIAL}
    return look | {"cmin": low, "cmax": high, "opacity": 0.75, "colorbar": bar, "showscale": True}


def _sized(cloud: Cloud, positions: IntArray) -> Entry:
    if cloud.size is None:
        return {}
    values = cloud.size[1]
    low, high = np.nanmin(values), np.nanmax(values)
    shares = np.nan_to_num((values[positions] - low) / ((high - low) or 1.0))
    return {"size": (SMALLEST_PX + (LARGEST_PX - SMALLEST_PX) * np.sqrt(shares)).astype(np.float32)}


def _front_traces(cloud: Cloud, frame: Frame, kept: BoolArray) -> list[Entry]:
    front, tokens = cloud.front, frame.tokens
    if not len(front):
        return []
    lost = front[~kept[front]]
    line = {"color": tokens.dot, "width": 1}
    rings = _points(cloud, frame, lost, plain=True, size=5, color=tokens.sunken, line=line)
    gone = [rings | {"type": "scatter", "name": "lost"}] if len(lost) else []
    return [_front_line(cloud, frame, kept), *gone]


def _front_line(cloud: Cloud, frame: Frame, kept: BoolArray) -> Entry:
    """Return the stepped line bounds what the front dominates: level until the next design where small x is better, else first up.

    Rings of designs that a baseline dominates are grey.
    """
    tokens = frame.tokens
    shown = kept[cloud.front]
    positions, dominated = cloud.front[shown], cloud.dominated_by_baselines[shown]
    colours: Any = [tokens.dot if each else tokens.accent for each in dominated] if dominated.any() else tokens.accent
    trace = _points(cloud, frame, positions, size=4.6, color=tokens.surface)
    trace["marker"] |= {"line": {"color": colours, "width": 1.2}, "opacity": 1}
    if cloud.colour is not None:
        trace["marker"] |= {"showscale": False}
    shape = "hv" if cloud.x.sense == "minimise" else "vh"
    line = {"color": tokens.accent, "width": 1.6, "shape": shape}
    return trace | {"type": "scatter", "mode": "lines+markers", "line": line, "name": "front"}


# -- behind -----------------------------------------------------------------------------------------------------------


def region_shapes(frame: Frame, region: Sequence[tuple[float, float]]) -> list[Entry]:
    """Return the outline of the lasso."""
    if len(region) < 3:
        return []
    corners = [(x * frame.x_scale.factor, y * frame.y_scale.factor) for x, y in region]
    path = "M" + "L".join(f"{x:.6g},{y:.6g}" for x, y in corners) + "Z"
    return [{"type": "path", "path": path, "line": {"color": frame.tokens.text3, "width": 1, "dash": "3px,3px"}}]


def density_image(frame: Frame, density: Density) -> Entry:
    """Return the cells as a picture below the designs: the more of them, the darker, by square root so that single ones show."""
    counts = density.counts
    alpha = np.sqrt(counts / max(1, int(counts.max()))) * _DENSEST
    alpha[counts > 0] = np.maximum(alpha[counts > 0], 24)
    dot = frame.tokens.dot
    pixels = np.empty((*counts.shape, 4), np.uint8)
    pixels[..., :3] = [int(dot[at : at + 2], 16) for at in (1, 3, 5)]
    pixels[..., 3] = alpha.astype(np.uint8)
    (x0, x1), (y0, y1) = density.x, density.y
    across = [_axis_place(end * frame.x_scale.factor, frame.x_log) for end in (x0, x1)]
    up = [_axis_place(end * frame.y_scale.factor, frame.y_log) for end in (y0, y1)]
    return {
        "source": "data:image/png;base64," + base64.b64encode(png(pixels)).decode(),
        "xref": "x", "yref": "y", "x": across[0], "y": up[1], "sizex": across[1] - across[0], "sizey": up[1] - up[0],
        "sizing": "stretch", "layer": "below", "opacity": 1, "name": "density",
    }  # fmt: skip


def _axis_place(value: float, log: bool) -> float:
    return float(np.log10(value)) if log else value


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return a PNG of pixels of shape `rows x columns x 4` (RGBA)."""
    rows, columns, _ = pixels.shape
    lines = np.concatenate([np.zeros((rows, 1), np.uint8), pixels.reshape(rows, columns * 4)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    body = zlib.compress(lines.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
