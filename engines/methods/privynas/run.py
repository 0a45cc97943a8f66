"""The run of a search: training, candidates, training of server sides. Imported only where torch is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from safetensors.torch import save

from engines.contract.arrays import FloatArray
from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import Context, Recorder, Step
from engines.contract.limits import nearest
from engines.contract.results import Curve, Note, Result, Series
from engines.data.data_set import DataSet
from engines.data.torch_images import pinned
from engines.methods.privynas.candidates import candidates
from engines.methods.privynas.choice import Choice, choice_of
from engines.methods.privynas.explain import explained
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.measuring import Bench
from engines.methods.privynas.quantities import QUANTITIES
from engines.methods.privynas.trainer import Trainer

_WEIGHTS = "privynas-supernet"  # name of the working file
_TRAINING_SHARE = 0.6
_KEPT = ("weights", "policy")


def run_search(instance: PrivynasInstance, record: Recorder) -> Iterator[Step]:
    """All steps of a run."""
    context = record.context
    with pinned(context.device):
        data = instance.data.read(context.files)
        trainer, curves = Trainer(instance, data, context.random, context.device), Curves(instance)
        if record.state is not None:
            curves = Curves(instance, record.state)
            files = {name: context.files.get(record.state[name]) for name in _KEPT}
            trainer.restore({**record.state, **files})
        yield from _train(trainer, curves, record)
        if trainer.step < trainer.steps:
            return
        state = _state(trainer, curves, context)
        bench = Bench(instance, data, context.files.get_or_build(_WEIGHTS, lambda: _weights(trainer)), context)
        chosen = candidates(instance, trainer.policy, context)
        while record.evaluations < len(chosen):
            if context.stop_requested():
                return
            record.add(bench.designs(chosen[record.evaluations : record.evaluations + 1]))
            done = record.evaluations
            fraction = _TRAINING_SHARE + (0.99 - _TRAINING_SHARE) * done / len(chosen)
            yield record.step(fraction, f"Design {done} of {len(chosen)}: server's side trained", state=state)
        yield _last(instance, data, record)


def evaluated(instance: PrivynasInstance, decisions: Sequence[Mapping[str, Any]], context: Context) -> Designs:
    """Decisions as designs."""
    choices = [choice_of(instance, decision) for decision in decisions]
    with pinned(context.device):
        return bench_of(instance, context).designs(choices)


def explained_design(instance: PrivynasInstance, choice: Choice, context: Context) -> tuple[Result, ...]:
    """What one design does."""
    with pinned(context.device):
        return explained(bench_of(instance, context), choice)


def bench_of(instance: PrivynasInstance, context: Context) -> Bench:
    """With the weights that the run kept, or that training gives again."""
    data = instance.data.read(context.files)

    def again() -> bytes:
        trainer = Trainer(instance, data, context.random, context.device)
        while trainer.step < trainer.steps:
            trainer.advance()
        return _weights(trainer)

    return Bench(instance, data, context.files.get_or_build(_WEIGHTS, again), context)


class Curves:
    """Loss, rewards and probabilities by epoch, which grow while a run trains."""

    def __init__(self, instance: PrivynasInstance, state: Mapping[str, Any] | None = None) -> None:
        self._instance = instance
        self.epochs: FloatArray = np.empty(0) if state is None else np.asarray(state["epochs"], np.float64)
        self.values: FloatArray = (
            np.empty((0, self._width)) if state is None else np.asarray(state["values"], np.float64)
        )

    @property
    def _width(self) -> int:
        return 2 + len(self._instance.positions) + len(self._instance.epsilons)

    @property
    def state(self) -> dict[str, FloatArray]:
        """For a checkpoint."""
        return {"epochs": self.epochs, "values": self.values}

    def add(self, trainer: Trainer, losses: Sequence[float], rewards: Sequence[float]) -> None:
        """One more epoch."""
        mean = float(np.mean(rewards)) if rewards else float("nan")
        row = np.array([np.mean(losses), mean, *trainer.policy.cuts(), *trainer.policy.budgets()])
        self.epochs = np.append(self.epochs, trainer.epoch)
        self.values = np.concatenate([self.values, row[None]])

    def results(self) -> tuple[Result, ...]:
        """As they are shown."""
        cuts = [f"After block {each}" for each in self._instance.positions]
        budgets = [f"Epsilon {each:g}" for each in self._instance.epsilons]
        at = 2 + len(cuts)
        return (
            self._curve("loss", "Training loss", ["Cross-entropy"], 0),
            self._curve("reward", "Mean reward of sampled networks", ["Reward"], 1),
            self._curve("cuts", "Probability of each cut", cuts, 2),
            self._curve("budgets", "Probability of each budget", budgets, at),
        )

    def _curve(self, name: str, title: str, titles: Sequence[str], first: int) -> Curve:
        series = tuple(Series(each, self.values[:, first + place], "") for place, each in enumerate(titles))
        return Curve(name, title, self.epochs, "Epoch", "", series, role="progress")


def _train(trainer: Trainer, curves: Curves, record: Recorder) -> Iterator[Step]:
    """Epoch by epoch; a stop in the middle of one keeps what was made of it."""
    params, context = trainer.instance.params, record.context
    losses, rewards = list[float](), list[float]()
    if record.state is not None:
        losses, rewards = record.state["losses"].tolist(), record.state["rewards"].tolist()
    while trainer.step < trainer.steps:
        if context.stop_requested():
            words = f"Stopped in epoch {trainer.epoch:.2f}"
            yield record.step(0.0, words, state=_state(trainer, curves, context, losses, rewards))
            return
        loss, gained = trainer.advance()
        losses.append(loss)
        rewards += gained
        if trainer.step % trainer.steps_per_epoch:
            continue
        curves.add(trainer, losses, rewards)
        words = f"Epoch {trainer.epoch:.0f} of {params.warm_up_epochs + params.epochs}: loss {np.mean(losses):.3f}"
        losses, rewards = [], []
        fraction = _TRAINING_SHARE * trainer.step / trainer.steps
        yield record.step(fraction, words, curves.results(), state=_state(trainer, curves, context, losses, rewards))


def _state(
    trainer: Trainer, curves: Curves, context: Context, losses: Sequence[float] = (), rewards: Sequence[float] = ()
) -> dict[str, Any]:
    state = trainer.state()
    stored = {name: context.files.put(state[name]) for name in _KEPT}
    return {**state, **stored, **curves.state, "losses": np.array(losses), "rewards": np.array(rewards)}


def _weights(trainer: Trainer) -> bytes:
    held = trainer.supernet.state_dict()
    return bytes(save({name: value.detach().cpu().contiguous() for name, value in held.items()}))


def _last(instance: PrivynasInstance, data: DataSet, record: Recorder) -> Step:
    """What a run ends with."""
    designs = record.designs
    if not designs.feasible(QUANTITIES).any():
        return record.infeasible(nearest(instance.allowed, designs))
    row = int(np.argmax(np.where(designs.feasible(QUANTITIES), designs.columns["accuracy_percent"], -1.0)))
    columns = {name: float(values[row]) for name, values in designs.columns.items()}
    words = f"{counted(len(designs))} designs; at epsilon {columns['epsilon']:g} after block {columns['position']:.0f} "
    words += (
        f"{columns['accuracy_percent']:.4g} % right in all, {columns['noisy_test_percent']:.4g} % of noisy test images"
    )
    return record.step(1.0, words, (_data_note(instance, data), _budget_note()))


def _data_note(instance: PrivynasInstance, data: DataSet) -> Note:
    text = f"Accuracies are of {instance.data.title}: {counted(len(data.validation))} images to choose by, "
    text += (
        f"{counted(len(data.test))} to report on, one training of each network and fresh noise once for every image."
    )
    return Note("data", "What was learnt from", text)


def _budget_note() -> Note:
    text = "Epsilon is the publication's: with noise of scale 2 B / epsilon every element that is sent is epsilon-private by "
    text += "itself. All elements together are private with elements x epsilon, which is far weaker."
    return Note("budget", "What epsilon holds for", text, "warning")
