"""What tests of this folder share."""

import hashlib
from datetime import UTC, datetime

from webapp.backups.manifest import Manifest

CONTENT = b"a database" * 20_000


def manifest_of(content: bytes = CONTENT) -> Manifest:
    return Manifest(
        format=1,
        version="0.1.0",
        made_at=datetime(2026, 1, 2, tzinfo=UTC),
        database="sqlite",
        migrations=["runs.0001_initial"],
        counts={"runs_run": 3},
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
