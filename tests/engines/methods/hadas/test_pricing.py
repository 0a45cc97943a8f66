import numpy as np

from engines.methods.hadas.pricing import PartPrices, part_of
from engines.methods.hadas.setup import build_setup
from tests.engines.methods.hadas.problems import measured_problem


def test_equal_parts_are_priced_once_and_parts_add_up(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    setup = build_setup(measured_problem())
    table, prices = setup.given.table, PartPrices(setup.model, setup.unit, setup.settings)
    parts = prices.price(table, setup.given.positions.starts)
    whole = prices.price(table, (0,))
    for part, one in zip(parts, whole, strict=True):
        np.testing.assert_allclose(part.sum(axis=0), one[0], rtol=1e-12)
    monkeypatch.setattr(PartPrices, "_priced", lambda *_: 1 / 0)
    np.testing.assert_array_equal(prices.price(table, setup.given.positions.starts), parts)


def test_a_part_has_the_operations_of_its_range() -> None:
    table = build_setup(measured_problem()).given.table
    part = part_of(table, 1, 3)
    assert part.names == table.names[1:3] and (part.macs == table.macs[1:3]).all()


def test_a_part_takes_what_its_operations_take_one_after_the_other() -> None:
    setup = build_setup(measured_problem())
    table = setup.given.table
    costs = setup.model.costs(table, setup.settings, units=[setup.unit])
    latency, energy = PartPrices(setup.model, setup.unit, setup.settings).price(table, (0, 2, len(table)))
    for found, each in ((latency, costs.latency_s[:, 0]), (energy, costs.energy_j[:, 0])):
        np.testing.assert_allclose(found, [each[:2].sum(axis=0), each[2:].sum(axis=0), 0 * each[0]], rtol=1e-12)
