"""User texts: rules for their content, and Markdown as HTML without scripts, pictures and styles."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.contract.titles import checked_title, visible_text

LONGEST_NOTE = 10_000
LONGEST_TAG = 40
# A note stands below a heading of the third level.
_HEADINGS: Mapping[str, str] = {"h1": "h4", "h2": "h5", "h3": "h6", "h4": "h6", "h5": "h6", "h6": "h6"}
_TAGS = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("table", "thead", "tbody", "tr", "th", "td", "h4", "h5", "h6"),
}
_LINE = {"softbreak": " ", "hardbreak": " "}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}


def read_note(text: object) -> str:
    """Return the text of a note, with one kind of line end.

    Raises:
        ProblemError: it is no text, empty, too long, or has characters that cannot be stored or shown.
    """
    found = readable("text", text).replace("\r\n", "\n").replace("\r", "\n").strip()
    if not (visible_text(found) and len(found) <= LONGEST_NOTE):
        accepted = f"1 to {LONGEST_NOTE} characters of Markdown, at least one of them visible"
        raise ProblemError("text", many(len(found), "character"), accepted)
    return found


def read_tag(word: object) -> str:
    """Return a tag as it is stored: in lower case, with single spaces.

    Raises:
        ProblemError: as `checked_title`; a comma would separate two.
    """
    found = checked_title("tags", word, LONGEST_TAG).lower()
    if "," in found:
        raise ProblemError("tags", found, f"words of 1 to {LONGEST_TAG} characters without a comma")
    return found


def as_html(text: str, headings: Mapping[str, str] = _HEADINGS) -> str:
    """Return the Markdown as safe HTML: whatever is written in it, no script, no picture, no style and no raw HTML comes out.

    Args:
        text: Markdown.
        headings: "h1" to "h6" -> the element that represents it.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        token.tag = headings.get(token.tag, token.tag)
    rendered = str(parser.renderer.render(tokens, parser.options, {}))
    return nh3.clean(
        rendered,
        tags=_TAGS | set(headings.values()),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )


def plain_words(text: str) -> list[str]:
    """Return the runs of plain text in Markdown, in order: no code, no address of a link."""
    found: list[str] = []
    for token in _parser().parse(text):
        inside: list[Token] = token.children or []
        found += [child.content for child in inside if child.type == "text" and child.content]
    return found


def one_line(text: str, most: int = 200) -> str:
    """Return the Markdown as one plain line, cut where it is long."""
    words: list[str] = []
    for token in _parser().parse(text):
        inside: list[Token] = token.children or []
        words.append("".join(_LINE.get(child.type, child.content) for child in inside) if inside else token.content)
    line = " ".join(" ".join(words).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


@cache
def _parser() -> MarkdownIt:
    # Pictures would tell their server who reads; "![x](y)" then is a link after an exclamation mark.
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")


def readable(field: str, text: object) -> str:
    """Return the text.

    Raises:
        ProblemError: it is none, or has characters that cannot be stored or shown.
    """
    if not isinstance(text, str):
        raise ProblemError(field, type(text).__name__, "a text")
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs") and character not in "\n\r\t":
            got = f"the character U+{ord(character):04X}"
            raise ProblemError(field, got, "a text without control characters and halves of surrogate pairs")
    return text
