"""A reverse proxy that serves a site below a path: nginx where it is installed, else one of the standard library."""

from __future__ import annotations

import contextlib
import http.client
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

_NGINX = """daemon off; pid {folder}/pid; error_log stderr;
events {{}}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/a;
uwsgi_temp_path {folder}/b; scgi_temp_path {folder}/c; server {{ listen 127.0.0.1:{port};
location {prefix}/ {{ proxy_pass {site}{end}; proxy_set_header Host $http_host; proxy_http_version 1.1; }} }} }}
"""


@contextlib.contextmanager
def path_proxy(site: str, port: int, prefix: str, folder: Path, *, strips: bool) -> Iterator[None]:
    """Serve `site` at `prefix` of 127.0.0.1:`port`.

    Args:
        site: address without a slash at its end.
        port: a free one.
        prefix: such as "/tools/paretoscope".
        folder: for files of nginx.
        strips: whether the proxy takes the prefix off, or passes paths as they come.
    """
    nginx = shutil.which("nginx")
    with _nginx(nginx, site, port, prefix, folder, strips) if nginx else _own(site, port, prefix, strips):
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield


@contextlib.contextmanager
def _nginx(program: str, site: str, port: int, prefix: str, folder: Path, strips: bool) -> Iterator[None]:
    file = folder / "nginx.conf"
    file.write_text(_NGINX.format(folder=folder, port=port, prefix=prefix, site=site, end="/" if strips else ""))
    with subprocess.Popen([program, "-c", str(file), "-p", str(folder)]) as process:
        try:
            yield
        finally:
            process.terminate()


@contextlib.contextmanager
def _own(site: str, port: int, prefix: str, strips: bool) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass(self) -> None:
            if not self.path.startswith(f"{prefix}/"):
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            there = http.client.HTTPConnection(urlsplit(site).netloc, timeout=120)
            there.request(
                self.command, self.path.removeprefix(prefix) if strips else self.path, body, dict(self.headers)
            )
            answer = there.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection", "content-length", "server", "date"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_HEAD = do_DELETE = do_PATCH = _pass  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
