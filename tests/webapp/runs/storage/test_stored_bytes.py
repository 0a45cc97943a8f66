"""How much a run takes is kept beside it, and is what is there."""

from __future__ import annotations

from typing import Any

from engines.contract.engine import File
from engines.contract.results import Note
from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin, step
from webapp.runs.models import Checkpoint, DesignChunk, Run
from webapp.runs.storage.files import RunFileKeeper
from webapp.runs.storage.stored_bytes import bytes_in, bytes_of


def test_steps_add_to_it_and_the_end_counts_it(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    frames: list[Any] = [
        step(1, checkpoint=True, results=(Note("remark", "Remark", "first"),)),
        step(2, results=(Note("remark", "Remark", "later"),), files=(File("out.bin", "a/b", b"x" * 1000),)),
    ]
    RunFileKeeper(store.fencing_token).put(b"x" * 1000)  # the child sends a file before the step that names it
    for number, frame in enumerate(frames, 1):
        store.store_step(number, frame, 0.5, (9.0, 9.0))
    run.refresh_from_db()
    assert run.stored_bytes == sum(bytes_in(frame) for frame in frames) > 0
    store.stop()
    run.refresh_from_db()
    designs = sum(len(bytes(each.scalars)) + len(bytes(each.decisions)) for each in DesignChunk.objects.filter(run=run))
    held = designs + len(bytes(Checkpoint.objects.get(run=run).data))
    assert run.stored_bytes == bytes_of(run.pk) > held + 2 * 1000, (
        "the file is there as a result and as the engine's own"
    )
    Run.objects.filter(pk=run.pk).delete()
    assert bytes_of(run.pk) == 0
