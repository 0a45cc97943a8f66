import hashlib

import pytest

from engines.running.files import MemoryFileStore


def test_contents_are_found_by_their_hash() -> None:
    files = MemoryFileStore()
    key = files.put(b"weights")
    assert key == hashlib.sha256(b"weights").hexdigest() == files.put(b"weights")
    assert files.get(key) == b"weights"


def test_a_miss_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="No file"):
        MemoryFileStore().get("0" * 64)
    assert MemoryFileStore().lookup("table") is None


def test_what_is_dear_is_built_once() -> None:
    files, built = MemoryFileStore(), []

    def build() -> bytes:
        built.append(1)
        return b"table"

    assert [files.get_or_build("table", build) for _ in range(3)] == [b"table"] * 3
    assert len(built) == 1


def test_the_first_content_of_a_name_stays() -> None:
    files = MemoryFileStore()
    files.keep("table", b"first")
    files.keep("table", b"second")
    assert files.lookup("table") == b"first"
