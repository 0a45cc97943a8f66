"""Phases by a toy whose networks are always right for their classes."""

import numpy as np

from engines.contract.arrays import IntArray
from engines.methods.myml.adaptive_system import INFERENCE, LEARNING, PRUNING, History, Rules, UserModel, lived
from engines.methods.myml.costs import Cost

RULES = Rules(window=10, share=0.15, tracker_window=10, divergence=0.7, interval_s=1.0)
POOL = np.arange(4)  # one image of each class


def model_for(classes: tuple[int, ...]) -> UserModel:
    known = np.isin(POOL, np.array(classes))
    return UserModel(np.where(known, POOL, classes[0]), ~known, Cost(0.1, 1.0), Cost(2.0, 5.0), 6)


def life(labels: IntArray, rules: Rules = RULES) -> History:
    return lived(labels, labels, POOL, Cost(0.5, 3.0), model_for, rules)


def test_learning_pruning_inference_and_back() -> None:
    labels = np.array([0, 1] * 15 + [2, 3] * 30)
    history = life(labels)
    phase = history.phase.tolist()
    assert phase[:10] == [LEARNING] * 10 and phase[10:16] == [PRUNING] * 6
    # Eight of the last ten are outside at image 37: the original comes back with the next, and learns the new classes.
    assert history.returns[0] == 37 and phase[16:38] == [INFERENCE] * 22
    assert phase[38:48] == [LEARNING] * 10 and phase[48:54] == [PRUNING] * 6 and phase[54:] == [INFERENCE] * 36
    assert not history.right[30:38].any() and history.right[:30].all() and history.right[38:].all()
    assert history.energy_j[[0, 10, 16]].tolist() == [3.0, 8.0, 1.0]
    assert history.time_s[[10, 11, 16, 17]].tolist() == [
        10.0,
        12.5,
        25.0,
        26.0,
    ]  # pruning is slower than the images come


def test_images_of_other_classes_are_not_pruned_with() -> None:
    labels = np.array([0, 1] * 5 + [2, 0] * 20)
    history = life(labels)
    assert history.phase[10:22].tolist() == [PRUNING] * 12  # every second one counts


def test_a_lazy_tracker_never_comes_back_and_an_eager_one_often() -> None:
    labels = np.array([0, 1] * 15 + [2, 3] * 100)
    lazy = life(labels, Rules(10, 0.15, 10, 1.0, 1.0))
    eager = life(labels, Rules(10, 0.15, 10, 0.1, 1.0))
    assert lazy.returns == () and eager.returns[0] == 31
    assert lazy.right.mean() < eager.right.mean()


def test_a_window_without_any_user_class_is_learnt_again() -> None:
    labels = np.array([0] * 25 + [0, 1] * 10)
    history = life(labels)
    assert history.phase[:30].tolist() == [LEARNING] * 30
