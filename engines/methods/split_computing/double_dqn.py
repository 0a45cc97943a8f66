"""The published controller: a double deep Q-network (odema-2024 section 5.4.1, van Hasselt et al. 2016). Needs torch.

What it sees is belief, bandwidth over its typical value, and the server's delay over the deadline. The publication prints neither
sizes nor rates; windows are independent, so that with a discount of 0 it learns what an action is worth in its window. Epsilon
falls from 1 to 0.05 over the first half; batches of 64 come from the last 10,000 windows; the target network is copied every 500
updates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from engines.contract.arrays import IntArray
from engines.contract.engine import Context
from engines.data.torch_images import pinned
from engines.methods.split_computing.controllers import DQN
from engines.methods.split_computing.instance import ControlInstance
from engines.methods.split_computing.windows import Windows

_CHUNK = 500  # updates between checkpoints, at most
_BATCH, _REPLAY, _COLLECTED, _COPY_EVERY = 64, 10_000, 8, 500
_EPSILON_END = 0.05
_MOMENTS = ("exp_avg", "exp_avg_sq")  # as torch names them
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class QController:
    """Takes the action of greatest Q. Layers are (weight, bias), float32."""

    instance: ControlInstance
    layers: tuple[tuple[Array, Array], ...]

    def __call__(self, windows: Windows) -> IntArray:  # noqa: D102
        network = _network([weight.shape for weight, _ in self.layers])
        _load(network, self.layers)
        actions = np.empty(len(windows), dtype=np.int64)
        with pinned("cpu"), torch.no_grad():
            seen = torch.from_numpy(observed(self.instance, windows))
            for begin in range(0, len(windows), 65_536):
                actions[begin : begin + 65_536] = network(seen[begin : begin + 65_536]).argmax(dim=1).numpy()
        return actions


def observed(instance: ControlInstance, windows: Windows) -> Array:
    """Return the inputs of the network, shape `n x 3`, float32."""
    rate = windows.bits_per_s * instance.channel.mean_s_per_bit
    delay = np.minimum(windows.delay_s / instance.system.deadline_s, 3.0)
    return np.stack([windows.belief, np.minimum(rate, 10.0) / 2, delay], axis=1).astype(np.float32)


class DoubleDqn:
    """A training that continues from its state."""

    def __init__(self, instance: ControlInstance, context: Context) -> None:
        self.instance, self.context, self.updates = instance, context, 0
        params, actions = instance.params, len(instance.system.counts)
        shapes = [(params.hidden, 3), (params.hidden, params.hidden), (actions, params.hidden)]
        self.online, self.target = _network(shapes), _network(shapes)
        random = context.random("double-dqn", "weights")
        _load(self.online, [_drawn(random, shape) for shape in shapes])
        self.target.load_state_dict(self.online.state_dict())
        self.optimiser = torch.optim.Adam(self.online.parameters(), lr=params.learning_rate)
        self.seen, self.next = np.zeros((2, _REPLAY, 3), np.float32)
        self.action, self.reward = np.zeros(_REPLAY, np.int64), np.zeros(_REPLAY, np.float32)
        self.stored = 0

    @property
    def done(self) -> bool:
        """Whether all updates were made."""
        return self.updates >= self.instance.params.dqn_updates

    def train_chunk(self) -> float:
        """Make the updates up to the next checkpoint; the mean loss of them."""
        updates = self.instance.params.dqn_updates
        chunk = min(_CHUNK, max(1, updates // 10))
        count, number = min(chunk, updates - self.updates), self.updates // chunk
        random = self.context.random("double-dqn", "chunk", number)
        windows = self.instance.windows(self.context, chunk * _COLLECTED + 1, "training", number)
        seen = observed(self.instance, windows)
        system = self.instance.system
        risky, robust = system.rewards(windows.energy_j, windows.missed, self.instance.params.penalty)
        rewards = np.where(windows.robust, robust, risky[:, None]).astype(np.float32)
        losses = []
        with pinned("cpu"):
            for update in range(count):
                rows = slice(update * _COLLECTED, (update + 1) * _COLLECTED)
                self._collect(seen[rows], seen[rows.start + 1 : rows.stop + 1], rewards[:, rows], random)
                losses.append(self._learn(random))
                self.updates += 1
                if self.updates % _COPY_EVERY == 0:
                    self.target.load_state_dict(self.online.state_dict())
        return float(np.mean(losses))

    def controller(self) -> QController:
        """Return the controller that the network has learnt so far."""
        return QController(self.instance, _layers(self.online))

    def state(self) -> dict[str, Any]:
        """Return everything to continue from."""
        moments = self.optimiser.state_dict()["state"]
        return {
            "updates": self.updates, "stored": self.stored,
            "online": _flat(self.online), "target": _flat(self.target),
            **{name: np.concatenate([moments[i][name].numpy().ravel() for i in sorted(moments)]) for name in _MOMENTS},
            "seen": self.seen, "next": self.next, "action": self.action.astype(np.int8), "reward": self.reward,
        }  # fmt: skip

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        self.updates, self.stored = int(state["updates"]), int(state["stored"])
        _unflatten(self.online, state["online"])
        _unflatten(self.target, state["target"])
        shapes, begin, moments = [each.shape for each in self.online.parameters()], 0, {}
        for number, shape in enumerate(shapes):
            end = begin + int(np.prod(shape))
            moments[number] = {"step": torch.tensor(float(self.updates))} | {
                name: torch.from_numpy(np.array(state[name][begin:end], np.float32)).reshape(shape) for name in _MOMENTS
            }
            begin = end
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": moments, "param_groups": groups})
        self.seen, self.next = (np.array(state[name], np.float32) for name in ("seen", "next"))
        self.action, self.reward = np.array(state["action"], np.int64), np.array(state["reward"], np.float32)

    def _collect(self, seen: Array, after: Array, rewards: Array, random: np.random.Generator) -> None:
        half = max(1, self.instance.params.dqn_updates // 2)
        epsilon = max(_EPSILON_END, 1 - (1 - _EPSILON_END) * self.updates / half)
        with torch.no_grad():
            best = self.online(torch.from_numpy(seen)).argmax(dim=1).numpy()
        drawn = random.integers(0, len(rewards), len(seen))
        action = np.where(random.random(len(seen)) < epsilon, drawn, best)
        places = (self.stored + np.arange(len(seen))) % _REPLAY
        self.seen[places], self.next[places], self.action[places] = seen, after, action
        self.reward[places] = rewards[action, np.arange(len(seen))]
        self.stored += len(seen)

    def _learn(self, random: np.random.Generator) -> float:
        rows = random.integers(0, min(self.stored, _REPLAY), _BATCH)
        wanted, discount = torch.from_numpy(self.reward[rows]), self.instance.params.discount
        if discount:
            with torch.no_grad():
                after = torch.from_numpy(self.next[rows])
                picked = self.online(after).argmax(dim=1, keepdim=True)
                wanted = wanted + discount * self.target(after).gather(1, picked)[:, 0]
        values = self.online(torch.from_numpy(self.seen[rows])).gather(1, torch.from_numpy(self.action[rows])[:, None])
        loss = nn.functional.smooth_l1_loss(values[:, 0], wanted)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return float(loss.detach())


def weights_bytes(controller: QController) -> bytes:
    """Return the weights as float32, layer by layer."""
    return np.concatenate([each.ravel() for layer in controller.layers for each in layer]).astype("<f4").tobytes()


def learnt_controller(instance: ControlInstance, context: Context) -> QController:
    """Return what a run learnt, or training gives again."""

    def build() -> bytes:
        training = DoubleDqn(instance, context)
        while not training.done:
            training.train_chunk()
        return weights_bytes(training.controller())

    return controller_from(instance, context.files.get_or_build(DQN, build))


def controller_from(instance: ControlInstance, data: bytes) -> QController:
    """Return the controller of `weights_bytes`."""
    hidden, actions = instance.params.hidden, len(instance.system.counts)
    network = _network([(hidden, 3), (hidden, hidden), (actions, hidden)])
    _unflatten(network, np.frombuffer(data, "<f4"))
    return QController(instance, _layers(network))


def _network(shapes: list[Any]) -> nn.Sequential:
    parts: list[nn.Module] = []
    for after, before in shapes:
        parts += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*parts[:-1])


def _drawn(random: np.random.Generator, shape: tuple[int, int]) -> tuple[Array, Array]:
    bound = shape[1] ** -0.5
    return random.uniform(-bound, bound, shape).astype(np.float32), np.zeros(shape[0], np.float32)


def _linear(network: nn.Sequential) -> list[nn.Linear]:
    return [part for part in network if isinstance(part, nn.Linear)]


def _load(network: nn.Sequential, layers: Any) -> None:
    with torch.no_grad():
        for part, (weight, bias) in zip(_linear(network), layers, strict=True):
            part.weight.copy_(torch.from_numpy(np.array(weight)))
            part.bias.copy_(torch.from_numpy(np.array(bias)))


def _layers(network: nn.Sequential) -> tuple[tuple[Array, Array], ...]:
    return tuple((part.weight.detach().numpy().copy(), part.bias.detach().numpy().copy()) for part in _linear(network))


def _flat(network: nn.Sequential) -> Array:
    return np.concatenate([each.detach().numpy().ravel() for each in network.parameters()])


def _unflatten(network: nn.Sequential, values: Array) -> None:
    begin = 0
    with torch.no_grad():
        for each in network.parameters():
            end = begin + each.numel()
            each.copy_(torch.from_numpy(np.array(values[begin:end], np.float32)).reshape(each.shape))
            begin = end
