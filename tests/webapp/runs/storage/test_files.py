from __future__ import annotations

import hashlib

import numpy as np
import pytest

from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin
from webapp.runs.models import FileBlob, FilePart, RunFile
from webapp.runs.storage.files import RunFileKeeper, list_files, put_content, read_content, sweep_contents
from webapp.runs.storage.lease import FencingToken


def test_files_are_stored_once_and_in_parts(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    keeper = RunFileKeeper(store.fencing_token)
    content = np.random.default_rng(0).bytes(9_000_000)
    key = keeper.put(content)
    keeper.keep("table", content)
    keeper.keep("table", b"the first content of a name stays")
    assert keeper.get(key) == keeper.lookup("table") == content
    assert keeper.lookup("nothing") is None and keeper.put(b"") == put_content(b"")
    assert FilePart.objects.filter(blob_id=key).count() == 3
    assert max(len(bytes(part.data)) for part in FilePart.objects.all()) <= 4 * 1024 * 1024
    assert FileBlob.objects.count() == 2 and list_files(run) == []
    with pytest.raises(KeyError):
        keeper.get("0" * 64)


def test_a_run_cannot_read_the_files_of_another(live_site: LiveSite) -> None:
    _, store = begin(live_site)
    key = RunFileKeeper(store.fencing_token).put(b"private")
    _, other = begin(live_site)
    with pytest.raises(KeyError):
        RunFileKeeper(other.fencing_token).get(key)
    assert RunFile.objects.count() == 1
    assert isinstance(other.fencing_token, FencingToken)


def test_contents_of_deleted_runs_are_swept(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    kept, other = RunFileKeeper(store.fencing_token), live_site.start(steps=1)
    kept.put(b"of both")
    kept.put(b"of one")
    RunFile.objects.create(
        run=other, name="out", media_type="text/plain", step_number=1, blob_id=hashlib.sha256(b"of both").hexdigest()
    )
    assert sweep_contents() == 0
    run.delete()
    assert sweep_contents() == 1
    assert read_content(hashlib.sha256(b"of both").hexdigest()) == b"of both"
