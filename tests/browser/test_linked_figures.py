"""Figures that show the same stages and layers mark each other, in a page of its own without a site."""

from pathlib import Path

import plotly
from playwright.sync_api import Browser, Page

from engines.contract.results import Curve, LayerGraph, Schedule
from engines.methods.soc_mapping.language.problem import PreparedLanguageModel
from frontend.figures.generic import curve_figure, layer_graph_figure
from frontend.figures.schedule.schedule import schedule_figure
from tests.browser.conftest import SLOW_MS
from tests.engines.methods.soc_mapping.language.problems import SMALL, language_problem

ASSETS = Path(__file__).parents[2] / "frontend/assets"
PLOTLY = Path(plotly.__file__).parent / "package_data/plotly.min.js"
PLACE = """([at, number]) => {
    const plot = document.querySelectorAll(".js-plotly-plot")[at], box = plot.getBoundingClientRect();
    const trace = plot.data.find(each => each.meta && each.meta.paths), axes = plot._fullLayout;
    const base = trace.base ? trace.base[number] : 0;
    return [box.left + axes.xaxis._offset + axes.xaxis.d2p(trace.base ? base + trace.x[number] / 2 : trace.x[number]),
            box.top + axes.yaxis._offset + axes.yaxis.d2p(trace.y[number])];
}"""
MARKED = """() => [...document.querySelectorAll(".js-plotly-plot")].map(
    plot => [...plot.querySelectorAll(".hoverlayer .hovertext")].map(label => label.textContent).join())"""


def test_pointing_at_a_layer_marks_its_stage_and_its_dot(browser: Browser, tmp_path: Path) -> None:
    prepared = PreparedLanguageModel(language_problem("rk3588", {"clocks": "fixed", "bits": "w8a8"}, SMALL))
    results = prepared.explain(prepared.kept.designs[0], None)  # type: ignore[arg-type]  it needs no context
    (schedule,) = (each for each in results if isinstance(each, Schedule))
    (graph,) = (each for each in results if isinstance(each, LayerGraph))
    (curve,) = (each for each in results if isinstance(each, Curve))
    figures = [
        schedule_figure(schedule, "light", width_px=600, height_px=120),
        layer_graph_figure(graph, "light", width_px=600),
        curve_figure(curve, "light"),
    ]
    drawn = "".join(f"Plotly.newPlot('f{at}', {figure.to_json()});" for at, figure in enumerate(figures))
    hosts = "".join(f'<div id="f{at}" style="width: 600px; height: 400px"></div>' for at in range(len(figures)))
    scripts = "".join(
        f"<script>{text}</script>" for text in (PLOTLY.read_text(), (ASSETS / "linked.js").read_text(), drawn)
    )
    page = browser.new_page(viewport={"width": 900, "height": 1400})
    page.set_default_timeout(SLOW_MS)
    (tmp_path / "figures.html").write_text(f"<body>{hosts}{scripts}</body>")
    page.goto((tmp_path / "figures.html").as_uri())

    drawn_points = page.locator("#f2 .scatterlayer .points path").count()
    assert drawn_points == sum(series.style == "points" for series in curve.series), "each kind of layer is a dot"
    layer = graph.nodes[1]  # the feed-forward part of prefill
    point(page, 1, 1)
    page.wait_for_function(f"() => ({MARKED})().every(text => text)")
    bar, node, dot = page.evaluate(MARKED)
    assert "Prefill" in bar and layer.title in node and layer.id.rpartition(": ")[2] in dot
    page.mouse.click(*page.evaluate(PLACE, [1, 1]))
    page.mouse.move(1, 1)
    page.wait_for_timeout(300)
    assert page.evaluate(MARKED)[2], "a click keeps the mark"
    point(page, 0, 1)  # the bar of decode marks its layers, all of them
    page.wait_for_function(f"() => ({MARKED})()[1].includes('Decode')")
    page.close()


def point(page: Page, figure: int, number: int) -> None:
    x, y = page.evaluate(PLACE, [figure, number])
    page.mouse.move(x - 2, y)
    page.mouse.move(x, y, steps=3)
