"""The packages that a search may choose from, up to symmetry.

A package is a row of numbers, its genotype: which sizes, link bandwidth, memory bandwidth and interface sides, then one letter per
chiplet. A letter stands for a dataflow with a number of processing elements. Two genotypes that a symmetry maps onto each other
have the same canonical genotype; symmetries keep the chiplets with an interface and the letters that a chiplet may have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from math import prod

from engines.cost.package.area import package_area_mm2
from engines.methods.package_search.packages.candidate import (
    Candidate,
    build_package,
    candidate_of,
    in_order,
    model_chiplet,
)
from engines.methods.package_search.packages.symmetry import (
    MOST_LABELLED,
    Permutation,
    canonical,
    classes,
    count_classes,
    keeping,
    mesh_symmetries,
    moved,
)
from engines.methods.package_search.params import ANY_SIDES, PackageSearchParams, split_list
from hardware.package.model import DATAFLOWS, Chiplet, ChipletPackage
from hardware.package.schema import SIDES

Genotype = tuple[int, ...]
Letter = tuple[str, int]

_HEAD = 4  # sizes, link, memory and sides stand before the letters


@dataclass(frozen=True)
class PackageSpace:
    """The packages that may be chosen.

    Attributes:
        base: the given package.
        alphabets: letters (dataflow, PEs) that may stand beside each other in one package; one alphabet per size, or one of all.
        links_gb_per_s, memories_gb_per_s: bandwidths of a link and of a memory interface.
        sides: sets of interface sides, no two of them the same but for symmetry.
        keep_dataflow: whether every chiplet keeps the given package's dataflow; and `keep_size`, with it, its size.
        max_area_mm2, max_processing_elements: limits, None where there is none.
    """

    base: ChipletPackage
    alphabets: tuple[tuple[Letter, ...], ...]
    links_gb_per_s: tuple[float, ...]
    memories_gb_per_s: tuple[float, ...]
    sides: tuple[tuple[str, ...], ...]
    keep_dataflow: bool
    keep_size: bool
    max_area_mm2: float | None
    max_processing_elements: int | None

    # -- genotypes ----------------------------------------------------------------------------------------------------

    def head_sizes(self) -> tuple[int, ...]:
        """Return the sizes of the genes before those of the layout."""
        return (len(self.alphabets), len(self.links_gb_per_s), len(self.memories_gb_per_s), len(self.sides))

    def letters(self, alphabet: int) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of the letters that each chiplet may have."""
        own = self.alphabets[alphabet]
        if not self.keep_dataflow:
            return (tuple(range(len(own))),) * len(self.base.chiplets)
        return tuple(
            tuple(number for number, letter in enumerate(own) if self._keeps(chiplet, letter))
            for chiplet in self.base.chiplets
        )

    def _keeps(self, given: Chiplet, letter: Letter) -> bool:
        dataflow, count = letter
        return dataflow == given.dataflow and (not self.keep_size or count == given.processing_elements)

    def group(self, alphabet: int, sides: int) -> tuple[Permutation, ...]:
        """Return the symmetries that preserve interfaces and the allowed chiplet classes."""
        return self._groups[alphabet, sides]

    @cached_property
    def _groups(self) -> dict[tuple[int, int], tuple[Permutation, ...]]:
        symmetries = mesh_symmetries(self.base.rows, self.base.columns)
        return {
            (a, s): keeping(
                symmetries,
                list(zip(_interfaces(self.base, self.sides[s]), self.letters(a), strict=True)),
            )
            for a, s in product(range(len(self.alphabets)), range(len(self.sides)))
        }

    def canonical(self, genotype: Genotype) -> Genotype:
        """Return the representative of all genotypes that are equal to this one by symmetry."""
        head = genotype[:_HEAD]
        return (*head, *canonical(genotype[_HEAD:], self.group(head[0], head[3])))

    def candidate(self, genotype: Genotype) -> Candidate:
        """Return the choices of a genotype."""
        sizes, link, memory, sides = genotype[:_HEAD]
        letters = [self.alphabets[sizes][number] for number in genotype[_HEAD:]]
        return Candidate(
            tuple(dataflow for dataflow, _ in letters),
            tuple(count for _, count in letters),
            self.links_gb_per_s[link],
            self.memories_gb_per_s[memory],
            self.sides[sides],
        )

    def genotype(self, candidate: Candidate) -> Genotype:
        """Return the canonical genotype of choices that belong to the space.

        Raises:
            ValueError: they do not.
        """
        letters = list(zip(candidate.dataflows, candidate.processing_elements, strict=True))
        sizes = next((a for a, own in enumerate(self.alphabets) if set(letters) <= set(own)), None)
        if sizes is None:
            raise ValueError(f"No sizes of the space have all of {sorted(set(letters))}.")
        head = (
            sizes,
            self.links_gb_per_s.index(candidate.link_bandwidth_gb_per_s),
            self.memories_gb_per_s.index(candidate.memory_bandwidth_gb_per_s),
            self.sides.index(candidate.interface_sides),
        )
        return self.canonical((*head, *(self.alphabets[sizes].index(letter) for letter in letters)))

    # -- how many, and which ------------------------------------------------------------------------------------------

    def labelled(self) -> int:
        """Return packages, those that are the same but for symmetry counted apart."""
        layouts = sum(prod(len(own) for own in self.letters(a)) for a in range(len(self.alphabets)))
        return layouts * len(self.links_gb_per_s) * len(self.memories_gb_per_s) * len(self.sides)

    def count(self) -> int:
        """Return the packages up to symmetry, limits left aside."""
        layouts = sum(count_classes(self.letters(a), self.group(a, s)) for a, s in self._groups)
        return layouts * len(self.links_gb_per_s) * len(self.memories_gb_per_s)

    def can_be_listed(self) -> bool:
        """Return whether `genotypes` gives all packages in reasonable time and memory."""
        most = max(prod(len(own) for own in self.letters(a)) for a in range(len(self.alphabets)))
        return most <= MOST_LABELLED and self.count() <= MOST_LABELLED

    def genotypes(self) -> Iterator[Genotype]:
        """Yield the canonical genotype of every package, limits left aside."""
        for a, s in self._groups:
            layouts = classes(self.letters(a), self.group(a, s))
            heads = product(range(len(self.links_gb_per_s)), range(len(self.memories_gb_per_s)))
            for (link, memory), letters in product(heads, layouts):
                yield (a, link, memory, s, *letters)

    # -- limits -------------------------------------------------------------------------------------------------------

    def area_mm2(self, genotype: Genotype) -> float:
        """Return the silicon of a package."""
        return package_area_mm2(build_package(self.base, self.candidate(genotype)))

    def violation(self, genotype: Genotype) -> float:
        """Return by how much, relative to the limits, a package is beyond them; 0 within."""
        elements = sum(self.candidate(genotype).processing_elements)
        over = 0.0
        if self.max_processing_elements is not None:
            over += max(0.0, elements / self.max_processing_elements - 1.0)
        if self.max_area_mm2 is not None:
            over += max(0.0, self.area_mm2(genotype) / self.max_area_mm2 - 1.0)
        return over

    def least(self) -> Genotype:
        """Return a package with least processing elements and least silicon: every choice the least, whatever its dataflows.

        Area rises with each choice and does not depend on dataflow, so that no other package has less of either.
        """
        sizes = min(range(len(self.alphabets)), key=lambda a: min(count for _, count in self.alphabets[a]))
        own = self.alphabets[sizes]
        letters = [min(allowed, key=lambda number: own[number][1]) for allowed in self.letters(sizes)]
        link = self.links_gb_per_s.index(min(self.links_gb_per_s))
        memory = self.memories_gb_per_s.index(min(self.memories_gb_per_s))
        sides = min(range(len(self.sides)), key=lambda s: sum(_interfaces(self.base, self.sides[s])))
        return (sizes, link, memory, sides, *letters)


def build_space(base: ChipletPackage, params: PackageSearchParams) -> PackageSpace:
    """Return the space that the parameters span around the given package."""
    given = candidate_of(base)
    counts = sorted({int(part) for part in split_list(params.processing_elements)})
    dataflows = DATAFLOWS if params.vary_dataflow else tuple(dict.fromkeys(given.dataflows))
    if counts:
        alphabets = [tuple((dataflow, count) for dataflow in dataflows) for count in counts]
    else:
        present = set(zip(given.dataflows, given.processing_elements, strict=True))
        present |= {(dataflow, model_chiplet(base, dataflow).processing_elements) for dataflow in dataflows}
        alphabets = [tuple(sorted(present))]
    if params.mixed_sizes:
        alphabets = [tuple(sorted(letter for own in alphabets for letter in own))]
    return PackageSpace(
        base=base,
        alphabets=tuple(alphabets),
        links_gb_per_s=_values(params.link_bandwidth_gb_per_s, given.link_bandwidth_gb_per_s),
        memories_gb_per_s=_values(params.memory_bandwidth_gb_per_s, given.memory_bandwidth_gb_per_s),
        sides=_different_sides(base, params, keep_size=not counts),
        keep_dataflow=not params.vary_dataflow,
        keep_size=not counts,
        max_area_mm2=params.max_area_mm2,
        max_processing_elements=params.max_processing_elements,
    )


def _values(text: str, given: float) -> tuple[float, ...]:
    return tuple(sorted({float(part) for part in split_list(text)})) or (given,)


def _different_sides(base: ChipletPackage, params: PackageSearchParams, keep_size: bool) -> tuple[tuple[str, ...], ...]:
    """Return the sets of sides to choose from; of those that a symmetry makes equal the first.

    Of the mesh, and where chiplets keep their dataflow (or size) of these: one side of a fixed layout is not like another.
    """
    listed: list[tuple[str, ...]] = []
    for part in split_list(params.interface_sides):
        if part == ANY_SIDES:
            listed += [sides for count in range(1, len(SIDES) + 1) for sides in combinations(SIDES, count)]
        else:
            listed.append(in_order(part.split("+")))
    symmetries = mesh_symmetries(base.rows, base.columns)
    if not params.vary_dataflow:
        kept = [(chiplet.dataflow, chiplet.processing_elements if keep_size else 0) for chiplet in base.chiplets]
        symmetries = keeping(symmetries, kept)
    found: dict[tuple[int, ...], tuple[str, ...]] = {}
    for sides in listed or [in_order(base.memory.sides)]:
        marks = _interfaces(base, sides)
        if not any(moved(marks, by) in found for by in symmetries):
            found[marks] = sides
    return tuple(found.values())


def _interfaces(base: ChipletPackage, sides: tuple[str, ...]) -> tuple[int, ...]:
    """Return per chiplet: 1 where it has a memory interface."""
    package = replace(base, memory=replace(base.memory, sides=sides))
    return tuple(int(package.has_interface(chiplet.index)) for chiplet in package.chiplets)
