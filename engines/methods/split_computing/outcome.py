"""The report of a run: controllers side by side, how sure the front is, what the numbers rest on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, Curve, Note, Result, Series, Table, TableColumn
from engines.methods.split_computing.controllers import DQN, EXACT, LOCAL, ORACLE, R_AGNOSTIC, TITLES, Controller
from engines.methods.split_computing.explain import words_of
from engines.methods.split_computing.instance import ControlInstance
from engines.methods.split_computing.scoring import Bench

NAMED = (LOCAL, R_AGNOSTIC, ORACLE, EXACT)


def comparison(bench: Bench, controllers: Sequence[tuple[str, Controller]]) -> tuple[Result, ...]:
    """Return the named controllers side by side: a table, and what each does how often."""
    taken = [controller(bench.windows) for _, controller in controllers]
    rows = [bench.columns(actions, name == ORACLE) for actions, (name, _) in zip(taken, controllers, strict=True)]
    titles = tuple(TITLES[name] for name, _ in controllers)
    shown = (
        ("energy_j", "Energy of a window", "J"), ("saved_fraction", "Energy saved", SHARE),
        ("risky_fraction", "Risky windows", SHARE),
        ("missed_fraction", "Missed deadlines", SHARE), ("offloaded_fraction", "Offloaded windows", SHARE),
        ("quality", "mAP of offloaded windows", ""), ("reward", "Reward", ""),
        ("reward_lost", "Reward lost to the exact optimum", ""),
    )  # fmt: skip
    columns = [TableColumn(title, np.array([row[name] for row in rows]), unit) for name, title, unit in shown]
    count = len(bench.instance.system.counts)
    shares = np.stack([np.bincount(actions, minlength=count) / len(actions) for actions in taken])
    return (
        Table(
            name="controllers", title="Comparison of controllers",
            table_columns=(TableColumn("Controller", titles), *columns),
        ),
        Breakdown("action-shares", "Actions of the controllers", titles, words_of(bench.instance), shares, SHARE),
    )  # fmt: skip


def learning_curve(updates: Sequence[int], lost: Sequence[float]) -> Curve:
    """Return the reward that the double DQN loses to the exact optimum while it learns."""
    return Curve(
        "learning", "Double DQN: reward lost to the exact optimum", np.array(updates, np.float64), "Updates", "",
        (Series("Reward lost", np.array(lost), ""),), role="progress",
    )  # fmt: skip


def proof_note() -> Note:
    """Return the note on the proof of the front."""
    text = "Windows are independent and no action changes the next one, so that the best controller is a table over channel, "
    text += "queue and belief, computed from the model itself. The controllers at prices are exact: none that sees the same has a "
    text += "smaller mean of energy + price x risk + price x missed deadlines. Between two of them there may be others."
    return Note("proof", "How good these controllers are for certain", text, role="proof")


def model_notes(instance: ControlInstance) -> tuple[Note, ...]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    params = instance.params
    text = "Scenes are simulated: the quality of detections is drawn from ranges that follow from the publication's Tables 5.3 "
    text += (
        f"to 5.5, and the context explains {100 * params.context_share:g} % of the variance of robust or not. "
        "With your own "
    )
    text += f"detector both differ. {100 * instance.scenes.robust_share:.1f} % of windows are robust."
    words = "The car computes what stays there while the radio sends and the server works. The answer's way back, the server's own "
    words += (
        "computing next to its queue, and the controller's own cost (0.66 ms and 5 mJ as published) are not counted."
    )
    trained = instance.trained
    return (
        Note("scenes", "Scenes", text, "warning"),
        Note("split-model", "The model of a window", words),
        *(() if trained is None else (Note("trained", "Where times and payload are from", f"{trained.words}."),)),
    )


def dqn_note(bench: Bench, learnt: Controller, exact: Controller) -> Note:
    """Return the note on the reward that the double DQN loses against the optimum."""
    both = {name: bench.columns(each(bench.windows)) for name, each in ((DQN, learnt), (EXACT, exact))}
    same = float((learnt(bench.windows) == exact(bench.windows)).mean())
    text = f"The double DQN does what the exact optimum of the same reward does in {100 * same:.1f} % of windows and loses "
    text += f"{both[DQN]['reward_lost']:.3g} of reward a window (the optimum is expected to have "
    text += f"{float(bench.expected.max(axis=0).mean()):.3g}). Deadlines missed: {100 * both[DQN]['missed_fraction']:.2f} % "
    text += f"against {100 * both[EXACT]['missed_fraction']:.2f} %."
    return Note("double-dqn", "Double DQN against the exact optimum", text)
