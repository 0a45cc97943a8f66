"""Bundles of runs, taken apart, changed and put together again."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

Members = dict[str, bytes]
ENGINES = {"engines": {"toy": "tests.support.toy_engine:ToyEngine"}}


def members_of(bundle: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Members) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return sink.getvalue()


def changed(bundle: bytes, change: Callable[[dict[str, Any], Members], None], rehash: bool = True) -> bytes:
    """The bundle after `change(manifest, members)`; with `rehash` the manifest's hashes are made to fit again."""
    members = members_of(bundle)
    manifest = json.loads(members.pop("bundle.json"))
    change(manifest, members)
    if rehash:
        manifest["members"] = {
            name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in members.items()
        }
    return zipped({"bundle.json": json.dumps(manifest).encode(), **members})
