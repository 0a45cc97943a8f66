"""BibTeX entries of the publications that engines name in their `source`.

Facts are those that the publications print about themselves; what is not printed there is left out.
"""

from __future__ import annotations

import re

from engines.contract.engine import Engine

_KEY = re.compile(r"\b[a-z]+-20\d\d\b")
# Key as in `Engine.source` -> type of the entry and its fields.
PUBLICATIONS: dict[str, tuple[str, dict[str, str]]] = {
    "odema-2023": (
        "article",
        {
            "author": "Odema, Mohanad and Bouzidi, Halima and Ouarnoughi, Hamza and Niar, Smail and "
            "Al Faruque, Mohammad Abdullah",
            "title": "{MaGNAS}: A Mapping-Aware Graph Neural Architecture Search Framework for Heterogeneous {MPSoC} "
            "Deployment",
            "journal": "ACM Transactions on Embedded Computing Systems",
            "volume": "22",
            "number": "5s",
            "articleno": "108",
            "numpages": "26",
            "month": "sep",
            "year": "2023",
            "doi": "10.1145/3609386",
        },
    ),
    "odema-2024": (
        "phdthesis",
        {
            "author": "Odema, Mohanad Mohamed Abdelmagid Abdelkhalek",
            "title": "Hardware/Software Co-design Methodologies for Efficient {AI} Systems and Applications",
            "school": "University of California, Irvine",
            "year": "2024",
        },
    ),
    "minakova-2022": (
        "article",
        {
            "author": "Minakova, Svetlana and Sapra, Dolly and Stefanov, Todor and Pimentel, Andy D.",
            "title": "Scenario Based Run-Time Switching for Adaptive {CNN}-Based Applications at the Edge",
            "journal": "ACM Transactions on Embedded Computing Systems",
            "volume": "21",
            "number": "2",
            "articleno": "14",
            "numpages": "33",
            "month": "feb",
            "year": "2022",
            "doi": "10.1145/3488718",
        },
    ),
    "karatzas-2024": (
        "inproceedings",
        {
            "author": "Karatzas, Andreas and Anagnostopoulos, Iraklis",
            "title": "{MapFormer}: Attention-based multi-{DNN} Manager for Throughout \\& Power Co-Optimization on Embedded "
            "Devices",
            "booktitle": "IEEE/ACM International Conference on Computer-Aided Design (ICCAD '24)",
            "publisher": "ACM",
            "numpages": "9",
            "month": "oct",
            "year": "2024",
            "doi": "10.1145/3676536.3676724",
        },
    ),
    "goyal-2023": (
        "phdthesis",
        {
            "author": "Goyal, Vidushi",
            "title": "Building User-Driven Edge Devices",
            "school": "University of Michigan",
            "year": "2023",
        },
    ),
}


def citation_keys(engine: Engine) -> tuple[str, ...]:
    """Return the keys of the publications that an engine's `source` names, in its order."""
    return tuple(dict.fromkeys(key for key in _KEY.findall(engine.source) if key in PUBLICATIONS))


def bibtex(engine: Engine) -> str:
    """Return the entries of an engine's publications; which part of them it is from stands above them as a comment.

    An engine without a publication gives the comment alone.
    """
    lines = [f"% {engine.title} (version {engine.version}): {engine.source}"]
    lines += [_entry(key) for key in citation_keys(engine)]
    return "\n".join(lines) + "\n"


def _entry(key: str) -> str:
    kind, fields = PUBLICATIONS[key]
    rows = [f"  {name} = {value if name == 'month' else f'{{{value}}}'}" for name, value in fields.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(rows) + "\n}"
