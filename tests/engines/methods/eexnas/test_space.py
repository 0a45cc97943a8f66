"""Genes there and back, and networks that fit a device."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.eexnas.architecture import Architecture, Block, architecture_of
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.space import GENES, architecture_of_genes, canonical, genes_of, unit_cube
from tests.engines.methods.eexnas.problems import eexnas_problem


def test_genes_and_decisions_come_back() -> None:
    space = instance_of(eexnas_problem()).space
    drawn = space.draw(30, np.random.default_rng(1))
    assert drawn.shape == (30, GENES) and unit_cube(drawn).min() >= 0 and unit_cube(drawn).max() <= 1
    for genes in drawn:
        architecture = architecture_of_genes(genes)
        assert architecture_of(architecture.decision) == architecture
        assert (genes_of(architecture) == genes).all() and (canonical(genes) == genes).all()
        assert space.ram_of(space.smallest) <= space.ram_of(space.laid(genes)) <= space.ram_bytes  # type: ignore[arg-type]


def test_genes_that_say_nothing_do_not_make_another_network() -> None:
    two = np.ones(GENES, np.int64)
    two[0] = 0  # two blocks: what stands for the third is not there
    two[4] = 0  # no maximum in the first: neither are its steps
    found = canonical(two)
    assert (found[11:16] == 0).all() and found[5] == 0 and (found[[1, 2, 3]] == two[[1, 2, 3]]).all()
    assert architecture_of_genes(two) == architecture_of_genes(found)


def test_what_is_not_in_the_space_has_no_genes() -> None:
    good = Architecture((Block(4, 3, 1, 0, 0), Block(8, 5, 2, 2, 1)), 16)
    assert architecture_of_genes(genes_of(good)) == good
    for wrong in (Block(5, 3, 1, 0, 0), Block(4, 3, 1, 2, 0), Block(4, 3, 1, 0, 1)):
        with pytest.raises(ValueError):  # noqa: PT011 - which of the lists lacks it is said by the caller
            genes_of(replace(good, blocks=(wrong, good.blocks[1])))


def test_nothing_is_drawn_that_does_not_fit() -> None:
    space = instance_of(eexnas_problem()).space
    needs = [space.ram_of(space.laid(genes)) for genes in space.draw(30, np.random.default_rng(2))]  # type: ignore[arg-type]
    tight = replace(space, ram_bytes=float(np.median(needs)))
    drawn = tight.draw(10, np.random.default_rng(2))
    assert all(space.ram_of(space.laid(genes)) <= tight.ram_bytes for genes in drawn)  # type: ignore[arg-type]
    assert replace(space, ram_bytes=space.ram_of(space.smallest) + 1, binary=(0,)).smallest == space.smallest


def test_binary_networks_are_drawn_where_they_are_asked_for() -> None:
    spaces = {each: instance_of(eexnas_problem({"arithmetic": each})).space for each in ("float", "binary", "both")}
    kinds = {each: set(space.draw(20, np.random.default_rng(0))[:, -1].tolist()) for each, space in spaces.items()}
    assert kinds == {"float": {0}, "binary": {1}, "both": {0, 1}}
