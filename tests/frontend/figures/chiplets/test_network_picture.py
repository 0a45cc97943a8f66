"""Networks by load."""

from engines.contract.results import NetworkPicture
from frontend.figures.chiplets.network_picture import height_px, network_picture_figure, network_sentence
from tests.frontend.figures.samples import RESULTS

PICTURE = next(result for result in RESULTS if isinstance(result, NetworkPicture))


def test_links_are_as_wide_as_their_load_and_turned_to_their_end() -> None:
    figure = network_picture_figure(PICTURE, 0, "light", width=600, height=height_px(PICTURE))
    lines = [trace for trace in figure.data if trace.mode == "lines" and trace.fill is None]
    assert sorted(trace.line.width for trace in lines) == [1.0, 1.0 + 3.0 * 5 / 6]
    heads = [angle for trace in figure.data for angle in (trace.marker.angle or ()) if trace.mode == "markers"]
    assert sorted(heads) == [90.0, 270.0]  # to the right, and back to the left
    assert any("50" in text for trace in figure.data if trace.mode == "markers" for text in (trace.text or ()))


def test_the_busiest_link_is_told() -> None:
    assert network_sentence(PICTURE, 1).startswith("Buffer: 2 boxes, 2 links; the busiest, A to hub, is in use 100")
