"""The first member of a backup: its origin, its content, and the checksum of its database."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from webapp.backups.errors import BackupError

FORMAT: Literal[1] = 1
PORTABLE: Literal["portable"] = "portable"
MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump", PORTABLE: "rows.msgpack"}
KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL", PORTABLE: "all rows, for either database"}


class State(BaseModel):
    """The state of a database at one moment.

    Attributes:
        migrations: applied ones, as "application.name", sorted; empty where there are no tables at all.
        counts: rows of every table of the product that exists.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    migrations: list[str]
    counts: dict[str, int]


class Manifest(State):
    """The state at the moment of the backup, and what to check the file by.

    Attributes:
        format: format of the file; this code reads `FORMAT` alone.
        version: version of the product. made_at: when the snapshot was complete.
        database: the kind it was taken from, which is the only kind that it fits; "portable" fits both.
        size: size of the database's member in bytes. sha256: of the same, in hex.
    """

    format: Literal[1]
    version: str
    made_at: datetime
    database: Literal["sqlite", "postgresql", "portable"]
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")

    @property
    def member(self) -> str:
        """Name of the database's member."""
        return MEMBERS[self.database]


def read_manifest(data: bytes) -> Manifest:
    """Return the manifest in `data`. Raises BackupError where it is none that this version reads."""
    try:
        return Manifest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise BackupError(f"The manifest of the backup cannot be used: {where}: {first['msg']}.") from error
