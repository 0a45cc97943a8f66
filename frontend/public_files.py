"""Files without anybody's data, which every visitor gets: scripts, styles, fonts and icons, served by WhiteNoise from the disk.

What is kept in memory is one small entry per file that exists, whatever addresses are asked for; contents stay on the disk.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from wsgiref.headers import Headers

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from frontend.bridge import get_app
from frontend.folders import ASSETS

_ASSETS, _COMPONENTS = "/assets/", "/_dash-component-suites/"
_ICON = "/favicon.ico"  # asked for where what a browser shows names no icon: a file, an answer of the API
_YEAR_S = 365 * 24 * 3600
_DAY_S = 24 * 3600
_COMPRESSIBLE = ("text/", "application/json", "image/svg+xml")
_SMALLEST_COMPRESSED_BYTES = 1000


class PublicFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # published without types
    """WhiteNoise, which also serves the files of the explorer's pages.

    It stands before sessions and compression: these files need neither. Each is compressed once per installation.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        self._found: dict[str, StaticFile] = {}
        self._packing = threading.Lock()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the file of the path, else what the rest of the site answers."""
        if not request.path_info.startswith((_ASSETS, _COMPONENTS, _ICON)):
            return super().__call__(request)
        path = source_of(request.path_info)
        if path is None:
            return self.get_response(request)
        response: HttpResponseBase = self.serve(self._file(path), request)
        response.headers["Cache-Control"] = _cache_control(request)
        return response

    def _file(self, path: Path) -> StaticFile:
        """Return the response for the file, checked again if it may change."""
        name = str(path)
        if name not in self._found or settings.DEBUG:
            with self._packing:
                self._found[name] = self._made(path)
        return self._found[name]

    def _made(self, path: Path) -> StaticFile:
        headers = Headers([])
        self.add_mime_headers(headers, str(path), str(path))
        packed = None
        if str(headers["Content-Type"]).startswith(_COMPRESSIBLE):
            packed = packed_form(path, settings.PARETOSCOPE_VAR / "packed")
        return StaticFile(str(path), headers.items(), encodings={"gzip": str(packed)} if packed else None)


def source_of(address: str) -> Path | None:
    """Return the file at a path of the site, below `/assets/` or `/_dash-component-suites/`, or its icon; None where there is none.

    A component's address holds version and time of its file, in any wording: all of them are that one file.
    """
    from dash.fingerprint import check_fingerprint

    if address == _ICON:
        return _asset(_ICON.removeprefix("/"))
    app = get_app()  # unpacks the script of the figures, and knows the files of the components
    if address.startswith(_ASSETS):
        return _asset(address.removeprefix(_ASSETS))
    package, _, fingerprinted = address.removeprefix(_COMPONENTS).partition("/")
    name, _ = check_fingerprint(fingerprinted)
    if package not in sys.modules or name not in app.registered_paths.get(package, ()):
        return None
    path = Path(str(sys.modules[package].__file__)).parent / name
    return path if path.is_file() else None


def _asset(name: str) -> Path | None:
    parts = name.split("/")
    if any(part in ("", ".", "..") or part.startswith(".") for part in parts) or "\x00" in name:
        return None
    path = ASSETS.joinpath(*parts)
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):  # a name that is too long, or that the file system cannot say
        return None


def packed_form(path: Path, folder: Path) -> Path | None:
    """Return the gzip form of a file, made at its first use and kept in `folder`; None where it would be too small to gain."""
    content = path.read_bytes()
    if len(content) < _SMALLEST_COMPRESSED_BYTES:
        return None
    stem = hashlib.sha256(str(path).encode()).hexdigest()[:16]
    packed = folder / f"{stem}-{hashlib.sha256(content).hexdigest()[:16]}.gz"
    if not packed.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for older in folder.glob(f"{stem}-*.gz"):
            older.unlink(missing_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".packing-", delete=False) as file:
            file.write(gzip.compress(content, compresslevel=6, mtime=0))
        Path(file.name).replace(packed)
    return packed


def _cache_control(request: HttpRequest) -> str:
    """Return the cache header: unlimited if the address changes with the content (`?m=`, `.v1_2m34.`), else a day."""
    fingerprinted = "m" in request.GET or ".v" in request.path_info.rpartition("/")[2]
    return f"public, max-age={_YEAR_S}, immutable" if fingerprinted else f"public, max-age={_DAY_S}"
