"""Two schedules on one time axis, the first above the second: what moved is outlined, equal parts are dimmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go

from engines.contract.results import Schedule
from engines.exchange.schedule_differences import Move, Part, ScheduleDifferences, TimeChange, parts_of
from frontend.figures.drawing import Box, Entry, Outline, figure, filled
from frontend.figures.numbers import reads_as_zero, si, time_scale
from frontend.figures.schedule.schedule import schedule_figure
from frontend.figures.schedule.schedule_bars import AXIS_PX, BAR, HEAD_PX
from frontend.theme import TOKENS, Scheme

_LEAST_LANE_PX, _MOST_LANE_PX, _ALL_LANES_PX = 15, 26, 520
_DASHES = {"moved": "solid", "longer": "4px,2px", "shorter": "1px,2px"}
_STEPS_BACK = 0.7


def difference_height_px(before: Schedule, after: Schedule) -> int:
    """Return the height of the picture: lanes as high as fit, within what can be read."""
    lanes = len(before.lanes) + len(after.lanes)
    lane = min(_MOST_LANE_PX, max(_LEAST_LANE_PX, _ALL_LANES_PX // max(1, lanes)))
    return 2 * HEAD_PX + lane * lanes + AXIS_PX


def schedule_difference_figure(
    before: Schedule,
    after: Schedule,
    differences: ScheduleDifferences,
    scheme: Scheme,
    *,
    width_px: float = 1130,
    height_px: float | None = None,
) -> go.Figure:
    """Return both schedules as they are, on one time axis.

    Parts that moved to another lane have a solid outline, those that got longer a dashed one, those that got shorter a dotted
    one; parts that are the same step back.

    Args:
        before: the first schedule, drawn above.
        after: the second one.
        differences: differences of these two.
        scheme: light or dark.
        width_px: width of the picture.
        height_px: height of the picture; what `difference_height_px` says by default.
    """
    height = height_px or difference_height_px(before, after)
    end_s = max(differences.before_s, differences.after_s)
    lanes = len(before.lanes), len(after.lanes)
    lane_px = (height - AXIS_PX - 2 * HEAD_PX) / sum(lanes)
    upper = (HEAD_PX + lane_px * lanes[0]) / (height - AXIS_PX)
    panels = []
    for schedule, count in zip((before, after), lanes, strict=True):
        own_px = HEAD_PX + AXIS_PX + lane_px * count
        panels.append(
            schedule_figure(
                schedule, scheme, width_px=width_px, height_px=own_px, end_s=end_s, apart=True
            ).to_plotly_json()
        )
    factor = time_scale([end_s]).factor
    traces: list[Entry] = []
    for number, (schedule, panel) in enumerate(zip((before, after), panels, strict=True)):
        axis = "y" if number == 0 else "y2"
        own = [*panel["data"], *_marks(schedule, differences, scheme, factor)]
        traces += [{**trace, "yaxis": axis} for trace in own]
    layout = panels[0]["layout"]
    layout |= {"height": height, "uirevision": "difference"}
    layout["shapes"] = [*layout["shapes"], *[{**shape, "yref": "y2"} for shape in panels[1]["layout"]["shapes"]]]
    layout["yaxis2"] = {**panels[1]["layout"]["yaxis"], "domain": [0, 1 - upper], "anchor": "x"}
    layout["yaxis"] |= {"domain": [1 - upper, 1]}
    layout["xaxis"] |= {"anchor": "y2"}  # its ticks stand below both
    layout["annotations"] = [*layout["annotations"], *_letters(scheme, upper)]
    return figure(scheme, traces, layout)


def _letters(scheme: Scheme, upper: float) -> list[Entry]:
    """Return a and B at the left above the lanes of either schedule."""
    font = {"size": 13, "color": TOKENS[scheme].text}
    place: Entry = {
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "xshift": 8,
        "yref": "paper",
        "yanchor": "top",
        "yshift": -5,
    }
    tops = {"A": 1.0, "B": 1 - upper}
    return [place | {"text": f"<b>{letter}</b>", "y": y, "font": font} for letter, y in tops.items()]


def _marks(schedule: Schedule, differences: ScheduleDifferences, scheme: Scheme, factor: float) -> list[Entry]:
    tokens = TOKENS[scheme]
    rows = {lane.id: row for row, lane in enumerate(schedule.lanes)}
    by_verdict: dict[str, list[Part]] = {}
    for part in parts_of(schedule):
        by_verdict.setdefault(differences.verdict(part), []).append(part)
    traces: list[Entry] = []
    if same := by_verdict.pop("same", []):
        outlines = [_outline(part, rows[part.lane], factor) for part in same]
        veil = filled(outlines, tokens.surface) | {"opacity": _STEPS_BACK, "name": "the same"}
        traces.append(veil)
    for verdict, parts in by_verdict.items():
        outlines = [_outline(part, rows[part.lane], factor) for part in parts]
        x = [value for outline in outlines for value in outline[0]]
        y = [value for outline in outlines for value in outline[1]]
        line = {"color": tokens.text, "width": 2, "dash": _DASHES[verdict]}
        traces.append(
            {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": line, "hoverinfo": "skip", "name": verdict}
        )
        traces.append(_hover(parts, rows, factor, differences, verdict))
    return traces


def _outline(part: Part, row: int, factor: float) -> Outline:
    box = Box(part.start_s * factor, row - BAR, part.end_s * factor, row + BAR)
    return (
        [box.left, box.right, box.right, box.left, box.left, None],
        [box.top, box.top, box.bottom, box.bottom, box.top, None],
    )


def _hover(
    parts: Sequence[Part], rows: dict[str, int], factor: float, differences: ScheduleDifferences, verdict: str
) -> Entry:
    """Return the invisible points that say what became of a part."""
    words = [change_words(part, differences) for part in parts]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [(part.start_s + part.end_s) / 2 * factor for part in parts],
        "y": [rows[part.lane] for part in parts],
        "marker": {"size": 14, "opacity": 0},
        "text": words,
        "hovertemplate": "%{text}<extra></extra>",
        "name": f"what is {verdict}",
    }


def change_words(part: Part, differences: ScheduleDifferences) -> str:
    """Return the changes of a part, one line each."""
    layers = part.words or (
        f"layer {part.first + 1}" if part.first == part.last else f"layers {part.first + 1}–{part.last + 1}"
    )
    lines = [f"<b>{part.model}</b> {layers}"]
    lines += [
        f"layers {move.first + 1}–{move.last + 1}: {move.before or 'nowhere'} → {move.after or 'nowhere'}"
        for move in differences.moves
        if _concerns(move, part)
    ]
    for change in (change for change in differences.times if _concerns(change, part)):
        sign = "+" if change.difference_s > 0 else "−"
        seconds = f"{sign}{si(abs(change.difference_s), 's')} ({si(change.before_s, 's')} → {si(change.after_s, 's')})"
        lines.append(f"layers {change.first + 1}–{change.last + 1}: {seconds}")
    return "<br>".join(lines)


def _concerns(change: Move | TimeChange, part: Part) -> bool:
    return change.model == part.model and change.first <= part.last and change.last >= part.first


def told_differences(differences: ScheduleDifferences) -> ScheduleDifferences:
    """Return differences without parts whose change reads 0 in their table: sentence, picture and table tell of the same ones."""
    times = differences.times
    both = [(change.before_s, change.after_s) for change in times]
    equal = reads_as_zero([change.difference_s for change in times], both, "s")
    return replace(differences, times=tuple(change for change, same in zip(times, equal, strict=True) if not same))


def difference_sentence(differences: ScheduleDifferences) -> str:
    """Return the sentence on moved parts, the largest change, and the length of both schedules."""
    length = f"B takes {si(differences.after_s, 's')}, A {si(differences.before_s, 's')}"
    if not differences.moves and not differences.times:
        return f"No layer moved and no duration grew; {length}."
    moved = sum(move.last - move.first + 1 for move in differences.moves)
    longer = sum(change.difference_s > 0 for change in differences.times)
    return (
        f"{moved} layer{'' if moved == 1 else 's'} moved, {longer} segment{'' if longer == 1 else 's'} got "
        f"longer and {len(differences.times) - longer} shorter; {length}."
    )
