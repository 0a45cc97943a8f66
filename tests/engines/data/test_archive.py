from __future__ import annotations

import io

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.archive import pack_data_set, read_archive, unpack_data_set
from engines.data.digits import digits


def test_an_archive_comes_back_equal_and_packs_alike(tmp_path) -> None:
    data = digits()
    packed = pack_data_set(data)
    again = unpack_data_set(packed, "digits")
    assert again.content_hash() == data.content_hash() and again.source == data.source
    assert pack_data_set(again) == packed
    path = tmp_path / "mine.npz"
    np.savez(path, features=np.zeros((40, 2, 16), np.float32), labels=np.arange(40) % 2)
    assert read_archive(path).classes == ("0", "1")


def test_an_archive_with_pickles_or_other_content_is_refused() -> None:
    evil = io.BytesIO()
    np.savez(evil, features=np.array([{"a": 1}], dtype=object), labels=np.zeros(1, np.int64))
    for content in (evil.getvalue(), b"PK", b""):
        with pytest.raises(ProblemError, match="without pickles"):
            unpack_data_set(content, "mine")
