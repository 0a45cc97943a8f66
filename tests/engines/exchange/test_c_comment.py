"""Comments of C whatever a text says: compiled, and by what is left of it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from engines.exchange.c_comment import plain

PIECES = (
    "*", "/", "\\", "?", "??/", "*/", "/*", "//", "\n", "\r", "\v", "\f", "\t", "\0", "\x1b", "\x7f", "\x85", "\u2028", "\u2029",
    "\u202e", "\u2066",
    "\u200f", "\u200b", "\ufeff", "\ud800", "\udfff", "\uffff", '"', "'", "%", "{", "}", "#", " ", "a", "ö", "速",
    "ש", "\u0301", "\U0001f600", "**/", "*\\/", "*??/\n/", "/\\\n*", "\\\n",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rest/*calm", "rest/ *calm"), ("walk *\\", "walk * /"), ("*/*/", "* / * /"),
        ("what???/", "what? ? ?/"),
        ("http://a.b", "http://a.b"), ("a\nb\u2028c\vd", "a b c d"), ("\u202eabc\u200f", "abc"), ("Größe 速い", "Größe 速い"),
        ("", "(no name)"), (" \n\0\ud800 ", "(no name)"), ('100 % "q"', '100 % "q"'),
    ],
)  # fmt: skip
def test_texts_by_hand(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler")
@pytest.mark.parametrize("standard", ["c99", "c11", "gnu11"])
def test_any_text_stays_within_its_comment(tmp_path: Path, standard: str) -> None:
    """Each comment stands before a declaration of its own, which one that ends late would swallow."""
    drawn = random.Random(7)
    texts = ["".join(drawn.choices(PIECES, k=drawn.randrange(9))) for _ in range(2000)]
    lines = [
        f"/* {plain(text)}: {plain(text)}.\n * {plain(text)}\n */\nint n{at}(void);" for at, text in enumerate(texts)
    ]
    uses = " + ".join(f"n{at}()" for at in range(len(texts)))
    (tmp_path / "heads.c").write_bytes(
        "\n".join([*lines, f"int all(void);\nint all(void) {{ return {uses}; }}\n"]).encode()
    )
    command = ["cc", f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "heads.c"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
