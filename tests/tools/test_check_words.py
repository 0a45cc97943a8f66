"""The check of sentences and docstrings on texts written for it."""

import ast
from pathlib import Path

import pytest

from tools.check_words import code_problems, docstring_problem, sentence_problems, text_problems


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Of the unit, clocked but without work.", 'a sentence begins with "Of"'),
        ("Energy in joules. What remains is idle power.", 'a sentence begins with "What"'),
        ("It stands beside the front", '"stands": write a verb of the field'),
        ("Reads " + "many words " * 10 + "in one sentence.", "a sentence has 24 words, 20 at most"),
    ],
)
def test_a_sentence_that_breaks_a_rule_is_named(text: str, rule: str) -> None:
    assert rule in list(sentence_problems(text, 20))


def test_questions_and_labels_pass() -> None:
    assert list(sentence_problems("What limits the latency?", 20)) == []
    assert list(sentence_problems("As published", 20)) == []


@pytest.mark.parametrize(
    ("code", "fine"),
    [
        ('def f():\n    """Return the energy."""', True),
        ('def f():\n    """The energy."""', False),
        ('class A:\n    @property\n    def f(self):\n        """The energy."""', True),
        ('class A:\n    """A measured energy."""', True),
        ('class A:\n    """Of one unit."""', False),
    ],
)
def test_docstrings_begin_with_a_verb_or_a_noun(code: str, fine: bool) -> None:
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    texts = [(node, ast.get_docstring(node)) for node in nodes]
    assert all(docstring_problem(node, text) is None for node, text in texts if text) is fine


def test_strings_are_checked_and_docstrings_are_not_sentences(tmp_path: Path) -> None:
    module = tmp_path / "costs.py"
    module.write_text('"""Costs that stand here."""\n\nHELP = f"Of {1} " "unit."\n')
    assert [each.rule for each in code_problems(module, "costs.py")] == ['a sentence begins with "Of"']


def test_pages_are_read_by_paragraph_without_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nIt stands here.\n\n```\nstands\n```\n")
    assert [(each.line, each.rule) for each in text_problems(page, "page.md")] == [
        (3, '"stands": write a verb of the field')
    ]
