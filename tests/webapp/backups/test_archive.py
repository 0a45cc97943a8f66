"""None"""

import io
import tarfile
from pathlib import Path

import pytest

from tests.webapp.backups.archives_for_tests import CONTENT, manifest_of
from webapp.backups.archive import checksum, unpack, write_archive
from webapp.backups.errors import BackupError


def archive_of(folder: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    path = folder / "made.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for member, content in members:
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


def linked(name: str, kind: bytes) -> tuple[tarfile.TarInfo, bytes]:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, "/etc/passwd"
    return member, b""


def plain(name: str, content: bytes = CONTENT) -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(name), content


MANIFEST = plain("manifest.json", manifest_of().model_dump_json().encode())


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(CONTENT)
    assert checksum(source) == manifest_of().sha256
    write_archive(tmp_path / "a.tar.gz", manifest_of(), source)
    assert (tmp_path / "a.tar.gz").stat().st_mode & 0o777 == 0o600
    assert unpack(tmp_path / "a.tar.gz", tmp_path / "target") == manifest_of()
    assert (tmp_path / "target").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([], "Got nothing"),
        ([MANIFEST], "Got nothing"),
        ([plain("database.sqlite3")], "Got 'database.sqlite3'"),
        ([MANIFEST, plain("../database.sqlite3")], "Got '../database.sqlite3'"),
        ([MANIFEST, plain("/tmp/database.sqlite3")], "Got '/tmp/database.sqlite3'"),
        ([MANIFEST, linked("database.sqlite3", tarfile.SYMTYPE)], "no plain file"),
        ([MANIFEST, linked("database.sqlite3", tarfile.LNKTYPE)], "no plain file"),
        ([MANIFEST, linked("database.sqlite3", tarfile.FIFOTYPE)], "no plain file"),
        ([MANIFEST, plain("database.sqlite3", CONTENT[:-1])], "bytes; the manifest says"),
        ([MANIFEST, plain("database.sqlite3", CONTENT[:-1] + b"x")], "SHA-256"),
        ([MANIFEST, plain("database.sqlite3"), plain("more")], "'more', which is no part of a backup"),
    ],
)
def test_anything_but_the_two_members_is_refused(
    tmp_path: Path, members: list[tuple[tarfile.TarInfo, bytes]], words: str
) -> None:
    with pytest.raises(BackupError, match=words):
        unpack(archive_of(tmp_path, *members), tmp_path / "target")


@pytest.mark.parametrize("kept", [0, 5, 300, -1, -40])
def test_a_file_cut_short_is_refused(tmp_path: Path, kept: int) -> None:
    archive = archive_of(tmp_path, MANIFEST, plain("database.sqlite3"))
    archive.write_bytes(archive.read_bytes()[:kept])
    with pytest.raises(BackupError):
        unpack(archive, tmp_path / "target")


def test_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"no archive at all")
    with pytest.raises(BackupError, match="is no backup"):
        unpack(tmp_path / "other", tmp_path / "target")
