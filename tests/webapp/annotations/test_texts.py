"""What is refused in texts, and that nothing but harmless HTML comes out of Markdown."""

from __future__ import annotations

import re
import time

import pytest

from engines.contract.errors import ProblemError
from webapp.annotations.texts import LONGEST_NOTE, as_html, one_line, plain_words, read_note, read_tag


def test_markdown_is_shown() -> None:
    shown = as_html("# Head\n\n**Bold**, `code`, ~~gone~~\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |")
    for part in (
        "<h4>Head</h4>",
        "<strong>Bold</strong>",
        "<code>code</code>",
        "<s>gone</s>",
        "<li>one</li>",
        "<td>2</td>",
    ):
        assert part in shown
    assert "style" not in shown
    assert as_html("[a](https://example.org/x)") == (
        '<p><a href="https://example.org/x" rel="noopener noreferrer nofollow">a</a></p>\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![p](https://example.org/p.png)",
        "![p][r]\n\n[r]: https://example.org/p.png",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,AAAA)",
        "<javascript:alert(1)>",
        "[x](vbscript:x 'y')",
        "<svg/onload=alert(1)>",
        "<a href='https://example.org' onclick='x'>y</a>",
        "`` <iframe src=x> ``",
        "[x](https://example.org 'a\" onmouseover=\"x')",
        "<style>*{display:none}</style>",
    ],
)
def test_nothing_harmful_comes_out(text: str) -> None:
    tags = re.findall(r"<[^>]*>", as_html(text))
    assert not [tag for tag in tags if re.search(r"<(script|img|svg|iframe|style)", tag)]
    assert not [tag for tag in tags if re.search(r"""\bon\w+\s*=(?![^"]*"[^"]*$)""", re.sub(r'"[^"]*"', '""', tag))]
    assert not [tag for tag in tags if re.search(r'href="(javascript|data|vbscript):', tag, re.IGNORECASE)]


def test_long_and_tangled_texts_take_no_time() -> None:
    began = time.process_time()
    for part in ("[", "*a_ ", "> ", "`", "![](", "- " * 10, "<", "|a"):
        as_html((part * LONGEST_NOTE)[:LONGEST_NOTE])
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "text", ["", "  \n ", "\u200b\n\u2060", "a\0b", "a\ud800b", "a\x1bb", "x" * (LONGEST_NOTE + 1), None, 3]
)
def test_what_cannot_be_a_note_is_refused_with_its_reason(text: object) -> None:
    with pytest.raises(ProblemError) as error:
        read_note(text)
    assert error.value.field == "text" and error.value.accepted


def test_notes_and_tags_are_tidied() -> None:
    assert read_note(" a\r\nb\rc ") == "a\nb\nc"
    assert read_tag("  For   the PAPER ") == "for the paper"
    for wrong in ("", "a,b", "x" * 41, "a\0", ["a"], "\u200b", "\u3164", "a\u202eb"):
        with pytest.raises(ProblemError):
            read_tag(wrong)


def test_plain_words_leave_code_and_addresses_out() -> None:
    text = "Ask **@ann**, `@eve` or [him](https://example.org/@sam)\nnow\n\n```\n@vic\n```"
    assert plain_words(text) == ["Ask ", "@ann", ", ", " or ", "him", "now"]
    assert one_line(text) == "Ask @ann, @eve or him now @vic"
    assert one_line("x" * 300, 10) == "x" * 9 + "…"
