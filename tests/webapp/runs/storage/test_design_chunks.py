from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.running.runner.frame_parts import pack_step
from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin, designs, step
from webapp.runs.models import DesignChunk
from webapp.runs.results import readers
from webapp.runs.storage.design_chunks import merge_small_chunks, stored_designs
from webapp.runs.storage.store import SMALL_CHUNKS_TO_MERGE


def test_large_steps_are_cut_into_parts_of_at_most_four_mebibytes(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    random = np.random.default_rng(1)
    heavy = designs(0, 60)
    decisions = [{**d, "text": random.bytes(120_000).hex()} for d in heavy.decisions]
    heavy = Designs(heavy.columns, decisions, heavy.found_at_evaluation, heavy.origin)
    store.store_step(1, pack_step(Step(0.1, designs=heavy), 1), None, None)
    sizes = [len(bytes(row.decisions)) for row in run.chunks.all()]
    assert len(sizes) > 1 and max(sizes) <= 4 * 1024 * 1024
    found = stored_designs(run.pk)
    assert found is not None and found.equals(heavy)
    assert readers.load_decision(run, 59) == decisions[59]


def test_many_small_steps_are_merged_without_a_reader_noticing(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    seen: list[float] = []
    last = 0
    for number in range(1, SMALL_CHUNKS_TO_MERGE + 8):
        store.store_step(number, step(number, count=2, checkpoint=True), None, None)
        if number % 5 == 0:  # a reader that comes now and then gets every design once, in order
            table = readers.load_designs(run, ["latency_s"], after=last)
            seen += table.columns["latency_s"].tolist()
            last += len(table)
    assert DesignChunk.objects.filter(run=run).count() < 12
    merge_small_chunks(run.pk)
    seen += readers.load_designs(run, ["latency_s"], after=last).columns["latency_s"].tolist()
    assert seen == [float(value) for value in range(2 * (SMALL_CHUNKS_TO_MERGE + 7))]
