"""All rows of a site in one file that fits both kinds of database: values as Python has them, packed by msgpack.

The file is a row of messages: for each table `[label of the model, [columns]]`, then lists of its rows, then `null`. Times are in
ISO 8601, JSON is its text. Of columns whose JSON PostgreSQL orders by itself (`jsonb`), keys are sorted, so that the same site
gives the same bytes on both databases.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import msgpack
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Field, JSONField, Model

from webapp.backups.errors import BackupError
from webapp.teams.ordered_json import OrderedJSONField

_AT_ONCE = 20  # a part of a file may have four megabytes
_MOST_BYTES = 512 * 1024 * 1024
# Signs of life of workers belong to the machine.
_LEFT_OUT = {"runs.WorkerBeat"}


def models() -> list[type[Model]]:
    """Return the models whose rows make a site, in one order everywhere."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return sorted((each for each in found if each._meta.label not in _LEFT_OUT), key=lambda each: each._meta.label)


def write_rows(target: Path) -> dict[str, int]:
    """Write every row to the new file `target`, all of one moment; rows by table."""
    counts = {}
    with target.open("xb") as stream, transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for model in models():
            counts[model._meta.db_table] = _write_table(stream, model)
    return counts


def _write_table(stream: IO[bytes], model: type[Model]) -> int:
    fields = model._meta.concrete_fields
    stream.write(_packed([model._meta.label, [field.attname for field in fields]]))
    rows = model._base_manager.order_by("pk").values_list(*(field.attname for field in fields))
    packers, count, some = [_packer(field) for field in fields], 0, []
    for row in rows.iterator(chunk_size=_AT_ONCE):
        some.append([pack(value) for pack, value in zip(packers, row, strict=True)])
        count += 1
        if len(some) == _AT_ONCE:
            stream.write(_packed(some))
            some = []
    stream.write(_packed(some) + _packed(None))
    return count


def read_rows(file: Path) -> dict[str, int]:
    """Replace all rows of the database with those of `file`, in one transaction; return the number of rows by table.

    Raises:
        BackupError: the file has other tables or columns than this version, or is cut off.
    """
    counts = {}
    with file.open("rb") as stream, transaction.atomic():
        _empty()
        for model, rows in _tables(stream):
            counts[model._meta.db_table] = _store(model, rows)
        missing = {model._meta.db_table for model in models()} - set(counts)
        if missing:
            raise BackupError(f"The file has no rows of {', '.join(sorted(missing))}: it is cut off.")
        _reset_keys()
    _forget()
    return counts


def _tables(stream: IO[bytes]) -> Iterator[tuple[type[Model], Iterator[list[Any]]]]:
    known = {model._meta.label: model for model in models()}
    messages = msgpack.Unpacker(stream, raw=False, max_buffer_size=_MOST_BYTES)
    for head in messages:
        label, columns = head
        if label not in known:
            raise BackupError(f"The file has rows of {label}, which this version does not know.")
        model = known[label]
        if columns != [field.attname for field in model._meta.concrete_fields]:
            raise BackupError(f"The columns of {label} in the file are not those of this version.")
        yield model, _rows_of(messages)


def _rows_of(messages: Iterator[Any]) -> Iterator[list[Any]]:
    for some in messages:
        if some is None:
            return
        yield from some
    raise BackupError("The file ends in the middle of a table.")


def _store(model: type[Model], rows: Iterator[list[Any]]) -> int:
    fields, count = model._meta.concrete_fields, 0
    some: list[Model] = []
    unpackers = [_unpacker(field) for field in fields]

    def insert() -> None:
        # As fixtures are loaded: no value is made up by a field, and no signal is sent. `bulk_create` would date everything anew.
        model._base_manager.all()._insert(  # type: ignore[attr-defined]  # no public way does this
            some, fields=fields, using=connection.alias, raw=True
        )

    for row in rows:
        values = [unpack(value) for unpack, value in zip(unpackers, row, strict=True)]
        some.append(model(**dict(zip((field.attname for field in fields), values, strict=True))))
        count += 1
        if len(some) == _AT_ONCE:
            insert()
            some = []
    if some:
        insert()
    return count


def _empty() -> None:
    """Empty all tables, also those that migrations filled: their keys may differ in the file."""
    with connection.cursor() as cursor:
        for model in models():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")


def _reset_keys() -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models()):
            cursor.execute(statement)


def _forget() -> None:
    from django.contrib.contenttypes.models import ContentType

    ContentType.objects.clear_cache()


def _packer(field: Field[Any, Any]) -> Callable[[Any], Any]:
    if isinstance(field, JSONField):
        ordered = isinstance(field, OrderedJSONField)
        return lambda value: None if value is None else json.dumps(value, sort_keys=not ordered, cls=field.encoder)
    return _plain


def _plain(value: Any) -> Any:
    if isinstance(value, memoryview):
        return bytes(value)
    return value.isoformat() if isinstance(value, datetime) else value


def _unpacker(field: Field[Any, Any]) -> Callable[[Any], Any]:
    if isinstance(field, JSONField):
        return lambda value: None if value is None else json.loads(value, cls=field.decoder)
    if field.get_internal_type() == "DateTimeField":
        return lambda value: None if value is None else datetime.fromisoformat(value)
    return lambda value: value


def _packed(message: Any) -> bytes:
    return bytes(msgpack.packb(message))
