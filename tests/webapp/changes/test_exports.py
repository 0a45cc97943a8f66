"""The log of changes as a file."""

from __future__ import annotations

from tests.support.stored_runs import People
from tests.webapp.changes.cases import signed_in, start_over_rest
from webapp.changes.exports import csv_lines
from webapp.changes.service import ChangeQuery, lines, visible_changes


def test_a_file_has_a_line_per_field(people: People) -> None:
    run = start_over_rest(people)
    text = list(csv_lines(lines(visible_changes(people.owner, ChangeQuery(kind="run", number=run.pk)))))
    assert text[0].startswith("number,at,who,means") and any(",title,,Toy run" in line for line in text)
    answer = signed_in(people.owner).get("/api/v1/changes.csv?kind=run")
    assert b"".join(answer).decode().count("\n") == len(text)
