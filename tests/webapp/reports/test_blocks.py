"""The text of a report and the blocks in it."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from webapp.reports.blocks import MOST_BLOCKS, Block, Text, parts_of, runs_in


def test_blocks_stand_between_texts() -> None:
    parts = parts_of("# Why\n\n[[front run=12 design=3 x=latency_s y=energy_j]]\n\nSo.\n[[comparison runs=12,7]]")
    assert parts == [
        Text("# Why\n"),
        Block("front", (12,), 3, "latency_s", "energy_j", line=3),
        Text("\nSo."),
        Block("comparison", (12, 7), line=6),
    ]
    assert runs_in(parts) == (12, 7)


def test_a_block_is_written_as_it_is_read() -> None:
    for text in ("[[front run=12 design=0 x=a]]", "[[designs run=3 rows=5]]", "[[caveats]]", "[[comparison runs=1,2]]"):
        (block,) = parts_of(text)
        assert isinstance(block, Block) and block.written() == text


def test_code_and_words_are_no_blocks() -> None:
    text = "```\n[[front run=1]]\n```\nas in [[front run=1]] here"
    assert parts_of(text) == [Text(text)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[[picture run=1]]", "front, design"),
        ("[[]]", "front, design"),
        ("[[front]]", "run="),
        ("[[front run=x]]", "whole number"),
        ("[[front run=1,2]]", "one run"),
        ("[[front run=1 run=2]]", "once"),
        ("[[front run=1 colour=red]]", "run="),
        ("[[front run=1 x=<b>]]", "name of a column"),
        ("[[designs run=1 rows=9999]]", "from 1 to 50"),
        ("[[comparison runs=1]]", "2 to 6"),
        ("[[design run=1]]", "design="),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parts_of(f"Text\n\n{line}")
    assert "line 3" in str(caught.value) and words in str(caught.value)


def test_there_are_not_too_many() -> None:
    with pytest.raises(ProblemError, match="blocks"):
        parts_of("[[caveats]]\n" * (MOST_BLOCKS + 1))
