"""Refuses sentences and docstrings that the style of the product excludes: make check.

Sentences are the strings of the product that hold several words, the texts of templates, and the docs. Each begins with its
subject, is short, and uses the terms of the glossary. The first word of a docstring says what it documents: a function begins with
a verb, everything else with a noun phrase. Word lists decide, not grammar.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREES = ("hardware", "engines", "webapp", "frontend", "client", "agent", "paretoscope")
# Longest sentence in words.
ON_PAGES, IN_DOCS = 20, 25
HEADLESS = re.compile(r"(Of|That|As(?! published| measured)|Those|Likewise|So many|Who|What(?! if))\b")
# Term of the glossary -> words that it replaced.
DROPPED = {
    "missing data": r"nobody|somebody",
    "a verb of the field": (
        r"told|tells|goes on|go on|stands?|so many|at work|(?:is|are) up|whose turn|known by|may be off|(?<!set )off by"
    ),
    "limit": r"in the way|(?:keeps?|breaks?|broken) (?:the |a |all |any |no |its |this |that |every )?limits?",
    "slack": r"room to",
    "baseline": r"besides?|rivals?",
    "input, preset": r"slots?|ready-made",
    "evaluated": r"looked at|priced|scored",
    "dominated": r"outdone|beaten",
    "per second": r"(?:inferences|frames|queries|images|operations|values|times) a second",
    "fused": r"folded",
    "published value": r"printed|ours|same side",
    "transition, transfer": r"hand(?:ed|s)?[ -]over|changes of unit",
    "monolithic die": r"large die",
    "power limit": r"limits? of power|budgets? of power",
    "predicted": r"foretold|modelled",
    "version": r"as it (?:is|was)|what was done",
    "mapping": r"what runs where|kind of chiplet|of the box",
    "metric": r"quantit(?:y|ies)",
    "run": r"explorations?",
    "bound": r"what no design passes",
    "a positive statement": r"neither",
}
ANY_TERM = re.compile(rf"(?<![\w-])(?:{'|'.join(DROPPED.values())})(?![\w-])", re.IGNORECASE)
TERMS = {term: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for term, words in DROPPED.items()}
# First words of docstrings of functions.
VERB_WORDS = """
accept add advance allocate allow answer append apply ask back begin bound bring build call carry change check choose
claim close compare compile compute connect continue copy correct cost count create cross-validate cut declare decode
decorate delete deliver derive descend divide do download draw drive drop empty encode end enter equal escape evaluate
extend fail fill filter find finish fit follow forbid forget format free generate get give go group handle hide hold
ignore import index insert install invite join judge keep kill label lay lead lease leave let list listen load lock log
look lower mail make map mark measure merge migrate mirror mix move mutate name normalise note offer open pack pass
perform permute pick pin place plan play prepare print process project prune put query queue raise rank read receive
record reduce refuse register release remember remove render replace report request restart restore restrict return
revoke round run sample save say scale schedule score search see select send serve set settle share shorten show
simulate skip solve sort split stand start stop store sum swap sway switch take test thin tick trace track train treat
try unpack unpin upload use validate wait walk warn watch widen wish write yield
"""
VERBS = frozenset(VERB_WORDS.split())
# Pattern of "path: rule: text" -> how many such problems may stay at most, and why. At most `MOST_ALLOWED` lines.
MOST_ALLOWED = 30
ALLOWED = {
    "engines/workloads/importing/*operators.py: *": (12, "names of operators, no sentence"),
    "engines/workloads/importing/*values.py: *": (2, "names of operators, no sentence"),
    "engines/workloads/importing/*codes.py: *": (2, "names of operators, no sentence"),
    "engines/exploration.py: *Exploration*": (1, "the class of the Python interface"),
    "engines/*c_code.py: *": (30, "C code"),
    "webapp/search/*": (8, "SQL"),
    "frontend/bridge.py: *default-src*": (1, "a header of HTTP"),
    "frontend/*: a sentence has *{*}*": (8, "HTML and CSS"),
    "frontend/*: row *": (1, "classes of CSS"),
    "frontend/*: repro-key ours": (2, "classes of CSS"),
    "engines/methods/mapformer/engine.py: *": (1, "the name of a manager"),
    "engines/methods/*/reproduction/*": (6, "keys of stored results"),
    "webapp/runs/bundles/bundle_export.py: *": (3, "the page of a bundle, kept with older bundles"),
    "webapp/teams/templates/teams/invitation.html: *": (1, "three sentences, of which one is shown"),
    "engines/reproduction/release_values.py: *": (2, "the head of shipped files, written again with them"),
}
_SENTENCE = re.compile(r"(?<=[.!?])[*_)\"”]*\s+(?=[A-Z{*_`\"“(\[])|\n\s*\n")
_START = re.compile(r"(?<=[.!?:])\s+(?=[A-Z{])")
_TAG = re.compile(r"<[^>]*>|\{[%#].*?[%#]\}|\{\{.*?\}\}", re.DOTALL)
_CODE = re.compile(r"```.*?```|<!--.*?-->", re.DOTALL)
_SPAN = re.compile(r"`[^`]*`|\]\([^)]*\)")
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


@dataclass(frozen=True)
class Problem:
    """A text that breaks a rule: where, which rule, and the text."""

    path: str
    line: int
    rule: str
    text: str

    @property
    def allowed(self) -> str | None:
        """Return the pattern of the allow list that covers it."""
        place = f"{self.path}: {self.rule}: {self.text}"
        return next((pattern for pattern in ALLOWED if fnmatchcase(place, pattern)), None)


def sentence_problems(text: str, longest: int) -> Iterator[str]:
    """Yield the rules that a text breaks."""
    for term, pattern in TERMS.items() if ANY_TERM.search(text) else ():
        if found := pattern.search(text):
            yield f'"{found[0]}": write {term}'
    for sentence in _START.split(text.strip()):
        if (start := HEADLESS.match(sentence)) and not sentence.rstrip().endswith("?"):
            yield f'a sentence begins with "{start[0]}"'
    for sentence in _SENTENCE.split(text.strip()):
        if (count := len(sentence.split())) > longest:
            yield f"a sentence has {count} words, {longest} at most"


def docstring_problem(node: Documented, text: str) -> str | None:
    """Return the rule that a docstring breaks."""
    if start := HEADLESS.match(text):
        return f'the docstring begins with "{start[0]}"'
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    names = {name.id for each in node.decorator_list for name in ast.walk(each) if isinstance(name, ast.Name)}
    first = re.match(r"[\w-]*", text)
    if names & {"property", "cached_property"} or (first and first[0].lower() in VERBS):
        return None
    return f'the docstring of a function begins with "{text.split(maxsplit=1)[0]}", not with a verb'


def texts_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string of several words; what an f-string fills in is `{}`."""
    parts: set[ast.AST] = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts |= {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if node in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            pieces = [each.value if isinstance(each, ast.Constant) else "{}" for each in node.values]
            text = "".join(map(str, pieces))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if re.search(r"[A-Za-z]{2}.* ", text.strip()):
            yield node.lineno, text


def code_problems(path: Path, shown: str) -> Iterator[Problem]:
    """Yield the problems of strings and docstrings of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    for line, text in texts_of(tree):
        for rule in sentence_problems(text, ON_PAGES):
            yield Problem(shown, line, rule, text)
    for node in ast.walk(tree):
        docstring = ast.get_docstring(node) if isinstance(node, Documented) else None
        if isinstance(node, Documented) and docstring and (broken := docstring_problem(node, docstring)):
            yield Problem(shown, getattr(node, "lineno", 1), broken, docstring.splitlines()[0])


def text_problems(path: Path, shown: str) -> Iterator[Problem]:
    """Yield the problems of a template or a page of the docs, paragraph by paragraph."""
    source = path.read_text("utf-8")
    template = path.suffix != ".md"
    blank = _TAG if template else _CODE
    plain = blank.sub(lambda found: re.sub(r"[^\n]", "", found[0]) if "\n" in found[0] else " ", source)
    line = 1
    for paragraph in re.split(r"(\n\s*\n|\n(?=\s*(?:[-|#>]|\d+\.) ?))", plain):
        text = _SPAN.sub(lambda found: "code" if found[0][0] == "`" else "]", " ".join(paragraph.split()))
        if text and not text.startswith("|"):
            for rule in sentence_problems(text, ON_PAGES if template else IN_DOCS):
                yield Problem(shown, line, rule, text)
        line += paragraph.count("\n")


def problems_of(root: Path) -> Iterator[Problem]:
    """Yield all problems of a checkout, those of the allow list included."""
    for tree in TREES:
        for path in sorted((root / tree).rglob("*")):
            shown = path.relative_to(root).as_posix()
            if path.suffix == ".py" and "migrations" not in path.parts:
                yield from code_problems(path, shown)
            elif path.suffix in (".html", ".txt") and "templates" in path.parts:
                yield from text_problems(path, shown)
    for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))):
        yield from text_problems(path, path.relative_to(root).as_posix())


def main() -> int:
    """Print all problems that are not allowed, then their number by rule; return 1 where there are any."""
    found = list(problems_of(ROOT))
    counts = Counter(each.allowed for each in found)
    over = {pattern for pattern, (most, _) in ALLOWED.items() if counts[pattern] > most}
    problems = [each for each in found if each.allowed is None or each.allowed in over]
    for each in problems:
        print(f"{each.path}:{each.line}: {each.rule}: {each.text[:100]!r}")
    for rule, count in Counter(re.sub(r'"[^"]*"|\d+', "…", each.rule) for each in problems).most_common():
        print(f"{count} × {rule}")
    unused = [pattern for pattern in ALLOWED if not counts[pattern]]
    print(
        *(f"Nothing needs the allowance {pattern!r} any more." for pattern in unused),
        sep="\n",
        end="\n" if unused else "",
    )
    return bool(problems or unused or len(ALLOWED) > MOST_ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
