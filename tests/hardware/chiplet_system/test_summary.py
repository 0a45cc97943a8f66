from dataclasses import replace

from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.chiplet_system.summary import chiplet_system_words


def test_a_system_in_a_few_words() -> None:
    system = load_chiplet_system(dict(builtin_chiplet_systems()["neksus-phone"]))
    assert chiplet_system_words(system) == "12 blocks, 48 mm² of silicon, 6 applications"
    one = dict([next(iter(system.applications.items()))])
    assert chiplet_system_words(replace(system, applications=one)).endswith("1 application")
