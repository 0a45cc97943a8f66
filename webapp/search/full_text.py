"""The databases' own full text next to the table of words, made by a migration; the part that is written in their languages."""

from __future__ import annotations

from typing import Any

_SQLITE = (
    (
        "CREATE VIRTUAL TABLE search_text USING fts5(words, content='search_searchentry', content_rowid='id', "
        "tokenize='unicode61', prefix='2 3')"
    ),
    (
        "CREATE TRIGGER search_text_made AFTER INSERT ON search_searchentry BEGIN "
        "INSERT INTO search_text(rowid, words) VALUES (new.id, new.words); END"
    ),
    (
        "CREATE TRIGGER search_text_gone AFTER DELETE ON search_searchentry BEGIN "
        "INSERT INTO search_text(search_text, rowid, words) VALUES ('delete', old.id, old.words); END"
    ),
    (
        "CREATE TRIGGER search_text_changed AFTER UPDATE ON search_searchentry BEGIN "
        "INSERT INTO search_text(search_text, rowid, words) VALUES ('delete', old.id, old.words); "
        "INSERT INTO search_text(rowid, words) VALUES (new.id, new.words); END"
    ),
)
_POSTGRESQL = (
    "ALTER TABLE search_searchentry ADD COLUMN vector tsvector GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED",
    "CREATE INDEX search_by_words ON search_searchentry USING gin (vector)",
)


def make_full_text(apps: Any, schema_editor: Any) -> None:
    """Make the FTS5 table with its triggers, or the column with its index."""
    for statement in _POSTGRESQL if schema_editor.connection.vendor == "postgresql" else _SQLITE:
        schema_editor.execute(statement)


def drop_full_text(apps: Any, schema_editor: Any) -> None:
    """Back to the table alone."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE search_searchentry DROP COLUMN vector")
        return
    for name in ("made", "gone", "changed"):
        schema_editor.execute(f"DROP TRIGGER search_text_{name}")
    schema_editor.execute("DROP TABLE search_text")
