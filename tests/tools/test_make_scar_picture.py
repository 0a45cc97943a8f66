"""The picture of SCAR's page is drawn from a run: well-formed, and the stored one shows the run's best value."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tools.make_scar_picture import FILE, picture, solved


def test_the_stored_picture_shows_what_a_run_finds() -> None:
    problem, designs = solved(evaluations=100)
    drawn = picture(problem, designs)
    names = {"GPT-2 L", "BERT-L", "U-Net", "ResNet-50", "Simba NVDLA", "Standalone NVDLA"}
    texts = {each.text or "" for each in ET.fromstring(drawn).iter() if each.tag.endswith("text")}
    assert names <= texts
    best = [text for text in texts if text.startswith("best EDP")]
    assert len(best) == 1 and best[0] in FILE.read_text()
    assert FILE.stat().st_size < 60_000
