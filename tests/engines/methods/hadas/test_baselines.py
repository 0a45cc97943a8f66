from engines.methods.hadas.baselines import static_designs
from engines.methods.hadas.setup import build_setup
from tests.engines.methods.hadas.problems import measured_problem


def test_a_network_without_exits_stands_at_the_highest_clocks_and_where_no_other_setting_beats_it() -> None:
    setup = build_setup(measured_problem())
    designs = static_designs(setup, setup.given)
    assert (designs.columns["exits"] == 0).all() and designs.label[0].endswith("without exits")
    assert all(label.endswith("clocks searched") for label in designs.label[1:])
    latency, energy = designs.columns["latency_s"][1:], designs.columns["energy_j"][1:]
    order = latency.argsort()
    assert (energy[order][1:] < energy[order][:-1]).all(), "each of the others is on the front"
