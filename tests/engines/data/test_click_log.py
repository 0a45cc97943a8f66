"""Click logs as people have them."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.data.click_log import criteo_clicks, rating_clicks


def criteo(rows: int = 60) -> list[str]:
    """Lines of Criteo's format; every third was clicked."""
    draw = np.random.default_rng(4)
    return [
        "\t".join([
            str(int(row % 3 == 0)), *(str(each) if each else "" for each in draw.integers(0, 90, size=13)),
            *(f"{each:08x}" for each in draw.integers(0, 2**31, size=26)),
        ])
        for row in range(rows)
    ]  # fmt: skip


def ratings(rows: int = 60) -> list[str]:
    """Lines of ratings, three users, the newest first."""
    lines = [f"u{row % 3},i{row % 7},{1 + row % 5},{1000 - row},c{row % 2}" for row in range(rows)]
    return ["user,item,rating,timestamp,category", *lines]


def test_criteo_has_numbers_and_tables_of_user_and_item() -> None:
    log = criteo_clicks("\n".join(criteo()), "Log")
    assert log.dense.shape == (60, 13) and (log.dense >= 0).all() and log.labels.sum() == 20
    assert len(log.tables) == 26 and sum(table.history.shape[1] for table in log.tables) == 19
    assert all(
        table.history.min(initial=0) >= 0 and table.history.max(initial=0) < table.entries for table in log.tables
    )


def test_the_history_of_ratings_is_what_was_clicked_before() -> None:
    log = rating_clicks("\n".join(ratings()), "Log")
    user, item, category = log.tables
    assert (item.history[0] == 0).all() and user.candidate.shape[1] == 0 and category.history.shape == (60, 8)
    seen: dict[int, list[int]] = {}
    for row in range(60):
        before = seen.setdefault(int(user.history[row, 0]), [])
        assert item.history[row].tolist() == ([0] * 8 + before)[-8:]
        if log.labels[row]:
            before.append(int(item.candidate[row, 0]))


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (
            3,
            lambda cells: cells[:-1],
            "line 3, file: A row has a label, 13 numbers and 26 categories. Must be 40 columns",
        ),
        (5, lambda cells: ["2", *cells[1:]], r"line 5, column 1 \(label\)"),
        (7, lambda cells: [*cells[:4], "x", *cells[5:]], "line 7, column 5: must be a number"),
        (9, lambda cells: [*cells[:20], "no", *cells[21:]], "line 9, column 21: must be a category in hexadecimal"),
    ],
)
def test_what_is_wrong_in_criteo_is_told_with_line_and_column(line: int, change, words: str) -> None:  # type: ignore[no-untyped-def]
    lines = criteo()
    lines[line - 1] = "\t".join(change(lines[line - 1].split("\t")))
    with pytest.raises(ProblemError, match=words):
        criteo_clicks("\n".join(lines), "Log")


@pytest.mark.parametrize(
    ("line", "text", "words"),
    [
        (1, "user,rating,timestamp", "line 1, file: A table has user, item, .* Must be a head with the column item"),
        (1, "user,item,timestamp", "the column label"),
        (4, "u1,i1,many,5,c", r"line 4, column 3 \(rating\): must be a number"),
        (4, ",i1,3,5,c", r"line 4, column 1 \(user\): must be a name"),
        (4, "u1,i1", "line 4, row: must be 5 values"),
    ],
)
def test_what_is_wrong_in_ratings_is_told_with_line_and_column(line: int, text: str, words: str) -> None:
    lines = ratings()
    lines[line - 1] = text
    with pytest.raises(ProblemError, match=words):
        rating_clicks("\n".join(lines), "Log")


def test_too_few_rows_or_clicks_are_refused() -> None:
    with pytest.raises(ProblemError, match="50 rows or more"):
        criteo_clicks("\n".join(criteo(40)), "Log")
    with pytest.raises(ProblemError, match="0 of them clicked"):
        criteo_clicks("\n".join("0" + line[1:] for line in criteo()), "Log")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.integers(0, 40), st.sampled_from(["criteo", "ratings"]))
def test_anything_else_is_refused_or_read(text: str, place: int, kind: str) -> None:
    lines = criteo() if kind == "criteo" else ratings()
    lines.insert(place, text)
    with suppress(ProblemError):  # any other exception fails
        log = (criteo_clicks if kind == "criteo" else rating_clicks)("\n".join(lines), "Log")
        assert len(log.labels) >= 50
