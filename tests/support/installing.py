"""A package that is put where others are installed, file after file, as an installer does it."""

from __future__ import annotations

from pathlib import Path


def begin_torch(packages: Path) -> Path:
    """Everything of an empty torch but the file that installers write last; the folder where that belongs."""
    (packages / "torch").mkdir()
    (packages / "torch" / "__init__.py").touch()
    record = packages / "torch-0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 0\n")
    return record


def install_torch(packages: Path) -> None:
    """An empty torch, whole."""
    (begin_torch(packages) / "INSTALLER").write_text("pip\n")
