"""The run of a search: training, candidates, training of server sides. Imported only where torch is needed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Context, Recorder, Step
from engines.contract.results import Curve, Result, Series
from engines.data.torch_images import pinned
from engines.learning.course import CHECKPOINT_S, Course
from engines.learning.curves import loss_curve
from engines.learning.torch_learner import packed_state
from engines.methods.privynas.candidates import candidates
from engines.methods.privynas.choice import Choice, choice_of
from engines.methods.privynas.explain import explained
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.learner import SupernetLearner
from engines.methods.privynas.measuring import Bench
from engines.methods.privynas.outcome import last_step

_WEIGHTS = "privynas-supernet"  # name of the working file
_TRAINING_SHARE = 0.6


def run_search(instance: PrivynasInstance, record: Recorder) -> Iterator[Step]:
    """All steps of a run."""
    context, state = record.context, record.state
    with pinned(context.device):
        data = instance.data.read(context.files)
        learner = SupernetLearner(instance, data, context.random, context.device)
        course = Course(learner)
        if state is not None:
            course.restore(state, context.files)
            learner.restore_kept(state, context.files)

        def tell() -> tuple[float, str, Sequence[Result]]:
            return _TRAINING_SHARE * course.share, course.words, _curves(instance, course)

        yield from course.steps(record, tell, lambda: learner.kept(context.files))
        if not course.done:
            return
        kept = {**learner.kept(context.files), **course.state(context.files)}
        weights = context.files.get_or_build(_WEIGHTS, lambda: packed_state(learner.network))
        bench = Bench(instance, data, weights, context)
        chosen = candidates(instance, learner.policy, context)
        while record.evaluations < len(chosen):
            if context.stop_requested():
                return
            choice = chosen[record.evaluations]
            yield from _train_server(bench, choice, len(chosen), kept, record)
            if context.stop_requested():
                return
            record.add(bench.designs([choice]))
            done = record.evaluations
            words = f"Design {done} of {len(chosen)}: epsilon {choice.epsilon:g} after block {choice.position}"
            yield record.step(_fraction(done, len(chosen)), words, state=kept)
        yield last_step(instance, data, record)


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
        learner = SupernetLearner(instance, data, context.random, context.device)
        Course(learner).finish()
        return packed_state(learner.network)

    return Bench(instance, data, context.files.get_or_build(_WEIGHTS, again), context)


def _train_server(
    bench: Bench, choice: Choice, count: int, kept: Mapping[str, Any], record: Recorder
) -> Iterator[Step]:
    """The server's side of one design, kept as a file; with a checkpoint now and then where that takes long."""
    context, subnet = record.context, bench.subnet(choice)
    course, told = bench.course(subnet), time.monotonic()
    if record.state is not None and record.state.get("server") == choice.name:
        course.restore({name.removeprefix("server_"): each for name, each in record.state.items()}, context.files)
    while not course.done:
        ending = course.advance(context.stop_requested, CHECKPOINT_S)
        if ending == "stopped" or time.monotonic() - told > CHECKPOINT_S:
            held = {f"server_{name}": each for name, each in course.state(context.files).items()}
            words = f"Server's side of design {record.evaluations + 1}: {course.words}"
            state = {**kept, "server": choice.name, **held}
            yield record.step(_fraction(record.evaluations, count), words, state=state)
            told = time.monotonic()
        if ending == "stopped":
            return
    context.files.get_or_build(f"privynas-{choice.name}", lambda: packed_state(subnet.server))


def _fraction(done: int, count: int) -> float:
    return _TRAINING_SHARE + (0.99 - _TRAINING_SHARE) * done / count


def _curves(instance: PrivynasInstance, course: Course) -> tuple[Result, ...]:
    """Loss, reward and probabilities by epoch; nothing within the first."""
    if not course.epoch:
        return ()
    warm_up = instance.params.warm_up_epochs
    phases = {"Clean": (0, warm_up), "Clean and noisy": (warm_up, course.learner.epochs)}
    epochs, held = np.arange(1, course.epoch + 1, dtype=np.float64), course.measured
    reward = np.where(epochs > warm_up, held["reward"], np.nan)
    cuts = [(f"After block {each}", held[f"cut {each}"]) for each in instance.positions]
    budgets = [(f"Epsilon {each:g}", held[f"epsilon {each:g}"]) for each in instance.epsilons]

    def curve(name: str, title: str, titled: Sequence[tuple[str, Sequence[float]]]) -> Curve:
        series = tuple(Series(each, np.array(values, dtype=np.float64), "") for each, values in titled)
        return Curve(name, title, epochs, "Epoch", "", series, role="progress")

    return (
        loss_curve(course.losses, phases),
        curve("reward", "Mean reward of sampled networks", [("Reward", reward.tolist())]),
        curve("cuts", "Probability of each cut", cuts),
        curve("budgets", "Probability of each budget", budgets),
    )
