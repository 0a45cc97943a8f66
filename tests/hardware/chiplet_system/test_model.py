from hardware.chiplet_system.model import ApplicationChain


def test_a_chain_is_called_as_the_publication_writes_it() -> None:
    assert ApplicationChain(("vd", "dc"), (1e6,), 60.0, 1 / 60).title == "VD-DC"
