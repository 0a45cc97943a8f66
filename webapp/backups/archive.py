"""The file of a backup: a tar, packed with gzip, of exactly two plain members: `manifest.json`, then the database."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from webapp.backups.errors import BackupError
from webapp.backups.manifest import Manifest, read_manifest

MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 4 * 1024 * 1024
_PIECE = 1024 * 1024
# Designs and files are packed already: the quickest level costs little and takes most of what can be had from the rest. `pg_dump`
# packs by itself.
_LEVELS = {"sqlite": 1, "postgresql": 0, "portable": 1}


def checksum(file: Path) -> str:
    """Return the SHA-256 (hex) of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_archive(target: Path, manifest: Manifest, database: Path) -> None:
    """Write `manifest` and the file `database` to `target`, readable by its owner alone and on the disk when this returns."""
    content = manifest.model_dump_json(indent=1).encode()
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=_LEVELS[manifest.database]) as tar:
            tar.addfile(_member(MANIFEST, len(content), manifest), io.BytesIO(content))
            with database.open("rb") as source:
                tar.addfile(_member(manifest.member, manifest.size, manifest), source)
        stream.flush()
        os.fsync(stream.fileno())


def _member(name: str, size: int, manifest: Manifest) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, int(manifest.made_at.timestamp())
    return member


def unpack(archive: Path, target: Path) -> Manifest:
    """Write the database in `archive` to `target`, once manifest, size and checksum agree with it; return the manifest.

    Nothing is written under a name out of the archive, so that links and paths in it lead nowhere.

    Raises:
        BackupError: the file is no backup, is damaged, or holds anything but the two members.
    """
    try:
        with gzip.open(archive) as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
            members = _plain_members(tar)
            _, stream = _next(members, MANIFEST)
            manifest = read_manifest(stream.read(MAX_MANIFEST_BYTES))
            member, stream = _next(members, manifest.member)
            if member.size != manifest.size:
                raise BackupError(f"{member.name} has {member.size} bytes; the manifest says {manifest.size}.")
            _copy(stream, target, manifest)
            if (more := next(members, None)) is not None:
                raise BackupError(f"The backup contains {more[0].name!r}, which is no part of a backup.")
            packed.read(_PIECE)  # to the end, where gzip's own checksum stands
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BackupError(f"{archive} is no backup, or it is damaged: {error}.") from error
    return manifest


def _plain_members(tar: tarfile.TarFile) -> Iterator[tuple[tarfile.TarInfo, IO[bytes]]]:
    for member in tar:
        stream = tar.extractfile(member) if member.isreg() else None  # which would follow a link
        if stream is None:
            raise BackupError(f"The backup holds {member.name!r}, which is no plain file.")
        yield member, stream


def _next(members: Iterator[tuple[tarfile.TarInfo, IO[bytes]]], name: str) -> tuple[tarfile.TarInfo, IO[bytes]]:
    found = next(members, None)
    if found is None or found[0].name != name:
        got = "nothing" if found is None else repr(found[0].name)
        raise BackupError(f"A backup must have {name!r} here. Got {got} instead.")
    return found


def _copy(stream: IO[bytes], target: Path, manifest: Manifest) -> None:
    digest = hashlib.sha256()
    with target.open("xb") as file:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    if digest.hexdigest() != manifest.sha256:
        raise BackupError(f"{manifest.member} in the backup is damaged: its SHA-256 is not the one in the manifest.")
