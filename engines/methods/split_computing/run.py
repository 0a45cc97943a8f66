"""The run: controllers that need no learning, then the double DQN."""

from __future__ import annotations

from collections.abc import Iterator

from engines.contract.designs import Designs
from engines.contract.engine import Context, File, Recorder, Step
from engines.contract.errors import EngineError
from engines.contract.integer_format import counted, many
from engines.methods.split_computing.controllers import DQN, EXACT, TITLES, Controller, controller_of
from engines.methods.split_computing.instance import ControlInstance
from engines.methods.split_computing.outcome import NAMED, comparison, dqn_note, learning_curve, model_notes, proof_note
from engines.methods.split_computing.scoring import BASELINES, Bench, bench_of, scored, searched

WEIGHTS_FILE = "double-dqn.float32"
_KNOWN_SHARE, _BATCH = 0.2, 64


def run_controllers(instance: ControlInstance, record: Recorder) -> Iterator[Step]:
    """Yield all steps of a run."""
    context = record.context
    bench = bench_of(instance, context)
    training = instance.params.dqn
    if record.state is None:
        record.add(_known(bench, [{"controller": name} for name in BASELINES], True), "baseline")
        yield record.step(0.01, "All in the car, R-agnostic, oracle", model_notes(instance))
        decisions = searched(instance)
        for begin in range(0, len(decisions), _BATCH):
            if context.stop_requested():
                return
            part = decisions[begin : begin + _BATCH]
            record.add(_known(bench, part, False))
            if begin + _BATCH < len(decisions):
                share = _KNOWN_SHARE * (begin + _BATCH) / len(decisions)
                yield record.step(share, f"{many(begin + len(part), 'controller')} measured")
        unmet = record.unmet()
        if unmet is not None:
            yield record.infeasible(unmet)
            return
        results = (proof_note(), *comparison(bench, _named(bench)))
        words = f"{many(len(decisions), 'controller')} measured"
        state: dict[str, object] | None = {} if training else None
        yield record.step(_KNOWN_SHARE if training else 1.0, words, results, state=state)
        if not training:
            return
    yield from _trained(bench, record)


def weights_of(instance: ControlInstance, context: Context) -> bytes:
    """Return the weights of a whole training, without a run."""
    from engines.methods.split_computing.double_dqn import DoubleDqn, weights_bytes

    training = DoubleDqn(instance, context)
    while not training.done:
        training.train_chunk()
    return weights_bytes(training.controller())


def _known(bench: Bench, decisions: list[dict[str, object]], labelled: bool) -> Designs:
    titles = [TITLES[str(each["controller"])] if labelled or each["controller"] == EXACT else "" for each in decisions]
    return scored(bench, decisions, _nothing_learnt, titles)


def _nothing_learnt() -> Controller:
    raise EngineError("The double DQN is not trained yet. Evaluate it after the training.")


def _named(bench: Bench) -> list[tuple[str, Controller]]:
    actions, penalty = len(bench.instance.system.counts), bench.instance.params.penalty
    return [(name, controller_of({"controller": name}, actions, penalty, _nothing_learnt)) for name in NAMED]


def _trained(bench: Bench, record: Recorder) -> Iterator[Step]:
    from engines.methods.split_computing.double_dqn import DoubleDqn, controller_from, weights_bytes

    instance, context, state = bench.instance, record.context, record.state
    training = DoubleDqn(instance, context)
    at, lost = list[int](), list[float]()
    if state is not None and "updates" in state:
        at, lost = [int(each) for each in state["at"]], [float(each) for each in state["lost"]]
        training.restore(state)
    while not training.done:
        if context.stop_requested():
            return
        training.train_chunk()
        at.append(training.updates)
        lost.append(bench.columns(training.controller()(bench.windows))["reward_lost"])
        share = _KNOWN_SHARE + (0.99 - _KNOWN_SHARE) * training.updates / instance.params.dqn_updates
        words = f"Double DQN: update {counted(training.updates)}, {lost[-1]:.3g} of reward lost"
        yield record.step(share, words, (learning_curve(at, lost),), state={"at": at, "lost": lost, **training.state()})
    data = context.files.get_or_build(DQN, lambda: weights_bytes(training.controller()))
    learnt = controller_from(instance, data)
    record.add(scored(bench, [{"controller": DQN}], lambda: learnt, [TITLES[DQN]]))
    named = _named(bench)
    results = (dqn_note(bench, learnt, named[-1][1]), *comparison(bench, [*named, (DQN, learnt)]))
    files = (File(WEIGHTS_FILE, "application/octet-stream", data),)
    yield record.step(1.0, "Double DQN trained and measured", results, files)
