"""Third-party scripts that are committed compressed and unpacked next to the other assets when the application is built."""

from __future__ import annotations

import lzma
import os
import tempfile
from pathlib import Path

from plotly.offline import get_plotlyjs_version

FOLDER = Path(__file__).parent


def plotly_archive() -> Path:
    """Return the committed strict bundle of the plotly.js version that the installed plotly draws for.

    Raises:
        FileNotFoundError: if the committed bundle is of another version; names the one that is needed.
    """
    archive = FOLDER / f"plotly-strict-{get_plotlyjs_version()}.min.js.xz"
    if not archive.exists():
        found = sorted(path.name for path in FOLDER.glob("plotly-strict-*.xz"))
        raise FileNotFoundError(f"The installed plotly needs {archive.name} in {FOLDER}. Found {found} instead.")
    return archive


def unpack_plotly(folder: Path) -> Path:
    """Unpack the strict bundle into `folder` unless it is there already; safe with several processes at once.

    The file takes the archive's modification time, so that every process derives the same fingerprint for its URL.

    Returns:
        The unpacked file.
    """
    archive = plotly_archive()
    target = folder / archive.name.removesuffix(".xz")
    stamp = archive.stat().st_mtime
    if target.exists() and target.stat().st_mtime == stamp:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("plotly-strict-*.js"):
        if stale != target:
            stale.unlink(missing_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".unpack-")
    with os.fdopen(handle, "wb") as file:
        file.write(lzma.decompress(archive.read_bytes()))
    Path(temporary).chmod(0o644)
    os.utime(temporary, (stamp, stamp))
    return Path(temporary).replace(target)


def plotly_source() -> str:
    """Return the strict bundle's script, for a page that stands on its own."""
    return lzma.decompress(plotly_archive().read_bytes()).decode()
