"""Whether the web server of this container answers and has its database: exit status 0, else 1 with the reason."""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request


def main(url: str = "http://127.0.0.1:8000/health/") -> int:
    """Ask under a host name that the site answers to."""
    host = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip().lstrip(".")
    headers = {"Host": host} if host not in ("", "*") else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=5) as answer:
            return 0 if answer.status == 200 else 1
    except (urllib.error.URLError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
