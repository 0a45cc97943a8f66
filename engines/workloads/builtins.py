"""The built-in networks and scenarios: tables of `zoo/` and families drawn from their definition.

What lists show is read first; the operations of a network are read or drawn when a person wants them, once per process.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from engines.contract.designs import canonical_json
from engines.workloads.families.classifiers import classifiers
from engines.workloads.families.document import LazyNetwork
from engines.workloads.families.edge_networks import edge_networks
from engines.workloads.families.foundation_networks import foundation_networks
from engines.workloads.families.image_mixes import image_mix
from engines.workloads.families.language_passes import language_pass, language_passes
from engines.workloads.families.others import language_network, other_families
from engines.workloads.index import read_index
from engines.workloads.tables import read_table, tied
from engines.workloads.vision_graph import builtin_vision_graphs
from hardware.documents import load_yaml

ZOO = Path(__file__).parent / "zoo"

Content = Mapping[str, Any]


class Contents(Mapping[str, Content]):
    """Slug -> content of a document, read on first use: a run of two networks does not read the tables of fifty.

    Args:
        readers: slug -> what reads the content of that name; in the order in which the documents are listed.
        by_name: content of documents that are found by their name and not listed; None where the name is none of theirs.
    """

    def __init__(
        self, readers: Mapping[str, Callable[[], Content]], by_name: Callable[[str], Content | None] = lambda _: None
    ) -> None:
        self._readers = dict(readers)
        self._by_name = by_name
        self._read: dict[str, Content] = {}

    def __getitem__(self, slug: str) -> Content:
        """Return the content of `slug`; the same object on each call, or a new one for contents that are not listed.

        Raises:
            KeyError: there is none.
        """
        if slug not in self._readers:
            content = self._by_name(slug)
            if content is None:
                raise KeyError(slug)
            return content
        if slug not in self._read:
            # Of two threads that read at the same time the first one's content stays.
            self._read.setdefault(slug, self._readers[slug]())
        return self._read[slug]

    def __contains__(self, slug: object) -> bool:
        """Return whether there is one of that name, listed or not; no content is read."""
        return slug in self._readers or (isinstance(slug, str) and self._by_name(slug) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def __or__(self, other: Contents) -> Contents:
        """Return both, with what was read so far shared."""
        return Contents(
            {slug: _getter(contents, slug) for contents in (self, other) for slug in contents},
            lambda slug: next((contents[slug] for contents in (self, other) if slug in contents), None),
        )


@cache
def builtin_networks() -> Contents:
    """Return slug -> content of every built-in network; language models of other lengths are found by name (`bert-base-200`)."""
    tables = {path.stem: _network_reader(path) for path in _documents("networks")}
    drawn = classifiers() | other_families() | edge_networks() | foundation_networks() | language_passes()
    return Contents(
        tables | dict(builtin_vision_graphs()) | {slug: _constant(content) for slug, content in drawn.items()},
        lambda slug: language_network(slug) or language_pass(slug),
    )


@cache
def builtin_scenarios() -> Contents:
    """Return slug -> content of every built-in scenario; mixes of image networks are found by name (`image-mix-8-3`).

    Each network that one names is pinned by the hash of its content.
    """
    return Contents({path.stem: _scenario_reader(path) for path in _documents("scenarios")}, _image_mix)


def _image_mix(slug: str) -> Content | None:
    content = image_mix(slug)
    return None if content is None else _pinned(content)


@lru_cache(maxsize=512)
def builtin_network_hash(slug: str) -> str:
    """Return the SHA-256 (hex) of the content of a built-in network; those in the index are not read for it.

    Raises:
        KeyError: there is none of that name.
    """
    if slug in read_index():
        return read_index()[slug].content_sha256
    return hashlib.sha256(canonical_json(builtin_networks()[slug]).encode()).hexdigest()


def _documents(folder: str) -> list[Path]:
    """Return the documents of a folder, in the order in which people count: scenario 9 before scenario 10."""

    def counted(path: Path) -> list[str | int]:
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.stem)]

    return sorted((ZOO / folder).glob("*.yaml"), key=counted)


def _getter(contents: Contents, slug: str) -> Callable[[], Content]:
    return lambda: contents[slug]


def _constant(content: Content) -> Callable[[], Content]:
    return lambda: content


def _network_reader(path: Path) -> Callable[[], Content]:
    def read() -> Content:
        head = load_yaml(path)
        table, same = path.parent / head.pop("table"), head.pop("tied", ())
        return LazyNetwork(head, lambda: tied(read_table(table), same) if same else read_table(table))

    return read


def _scenario_reader(path: Path) -> Callable[[], Content]:
    def read() -> Content:
        return _pinned(load_yaml(path))

    return read


def _pinned(content: Content) -> Content:
    models = [{**model, "network_sha256": builtin_network_hash(model["network"])} for model in content["models"]]
    return {**content, "models": models}
