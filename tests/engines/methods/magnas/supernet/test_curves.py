"""Loss and accuracy over epochs: what is kept, what is said, what is drawn."""

from __future__ import annotations

import numpy as np

from engines.methods.magnas.supernet.curves import Curves

NAN = float("nan")


def curves_of(count: int) -> Curves:
    """One report per epoch; its losses are 1, 2 and 3 tenths of the epoch, its accuracies 10 more in per cent."""
    curves = Curves()
    for epoch in range(count):
        curves.add(float(epoch), (0.1 * epoch, 0.2 * epoch, 0.3 * epoch), (epoch + 10.0, epoch + 20.0, epoch + 30.0))
    return curves


def test_the_newest_figures_are_those_of_the_largest_subnet() -> None:
    assert Curves().words() == ""
    assert curves_of(6).words() == ": loss 0.500, largest subnet 15.0 % on validation"


def test_very_long_trainings_keep_every_second_of_the_older_reports() -> None:
    held = curves_of(2001).arrays()
    epochs = [*range(1, 2000, 2), 2000]
    assert held["epochs"].tolist() == epochs and len(curves_of(2000).arrays()["epochs"]) == 2000
    np.testing.assert_allclose(held["losses"], np.outer(epochs, [0.1, 0.2, 0.3]))
    np.testing.assert_allclose(held["accuracies"], np.array(epochs)[:, None] + [10, 20, 30])


def test_a_role_that_never_trained_has_no_line() -> None:
    curves = Curves()
    curves.add(1.0, (1.0, 2.0, NAN), (50.0, 40.0, NAN))
    curves.add(2.0, (0.5, NAN, NAN), (60.0, 45.0, NAN))
    loss, accuracy = Curves.of(curves.arrays()).results("Digits")
    assert [series.title for series in loss.series] == ["Largest subnet", "Smallest subnet"]
    assert loss.series[0].y.tolist() == [1.0, 0.5] and accuracy.series[1].y.tolist() == [40.0, 45.0]
    assert loss.x.tolist() == [1.0, 2.0]
