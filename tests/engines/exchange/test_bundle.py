from __future__ import annotations

import io
import json
import zipfile

import pytest

from engines.contract.errors import ProblemError
from engines.exchange.bundle import BundleArchive


def zipped(**members: str) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "."), text)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("data", "field", "words"),
    [
        (b"no zip file", "bundle", "zip file of an exported run"),
        (zipped(a="x"), "bundle", "a file that a run was exported to"),
        (zipped(bundle__json="{"), "bundle.bundle.json", "JSON"),
        (zipped(bundle__json='{"schema": NaN}'), "bundle.bundle.json", "JSON"),
        (zipped(bundle__json=json.dumps({"schema": "other/1"})), "bundle.schema", "paretoscope-run/1"),
        (zipped(bundle__json=json.dumps({"schema": "paretoscope-run/1"})), "bundle.engine", "there"),
        (zipped(**{"../x": "y"}), "bundle.members", "without paths to other folders"),
    ],
)
def test_what_is_no_bundle_is_refused_before_anything_is_read(data: bytes, field: str, words: str) -> None:
    with pytest.raises(ProblemError) as refused:
        BundleArchive(data)
    assert words in refused.value.accepted and (refused.value.field == field or field == "bundle.engine")
