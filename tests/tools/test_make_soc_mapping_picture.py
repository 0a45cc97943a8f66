"""The picture of the page of SoC mapping is drawn from runs: well-formed, and the stored one shows what a run finds."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tools.make_soc_mapping_picture import FILE, picture, solved


def test_the_stored_picture_shows_what_a_run_finds() -> None:
    exact = solved()
    drawn = picture(exact, solved(method="random", evaluations=50))
    texts = [each.text or "" for each in ET.fromstring(drawn).iter() if each.tag.endswith("text")]
    assert {"GPU alone", "DLA alone"} <= set(texts)
    told = [text for text in texts if text.startswith(("Least energy", "exact front"))]
    assert len(told) == 6 and all(text in FILE.read_text() for text in told)
    assert FILE.stat().st_size < 60_000
