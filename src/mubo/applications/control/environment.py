"""A mechanism as an environment of Gymnasium: actions are inputs of its stepper, observations are columns.

Gymnasium (Towers and others 2024, arXiv 2407.17032) defines the interface; what is to be learned is given by the user,
as the reward and the end of an episode. It needs the extra: pip install 'mubo[control]'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box

from mubo.applications.control.stepper import Stepper
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, nearest

Values = Mapping[str, float]


class MechanismEnvironment(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """Episodes of a mechanism in steps of constant inputs, loops closed and events met as in `simulate`.

    Numbers are in the model's units; an observation has the order of the stepper's outputs.

    Parameters
    ----------
    plant : Stepper
        The compiled mechanism, `model.stepper(inputs, outputs)`. It is copied, not changed.
    actions : Mapping[str, tuple[float, float]]
        Least and largest value of every input of the plant.
    step : float
        Time of one step of the environment.
    reward : Callable[[Mapping[str, float], Mapping[str, float]], float]
        Reward of the outputs after a step and the inputs over it.
    ends : Callable[[Mapping[str, float]], bool], optional
        Whether the outputs end the episode.
    initial : Mapping[str, tuple[float, float]], optional
        Ranges of joint coordinates and rates at the start of an episode, by the names of `model.state_names`: one of
        each is drawn at random. Others begin as the model says; closed loops begin at the nearest state that closes
        them.
    duration : float, optional
        Time after which an episode is truncated; without it, it never is.
    """

    def __init__(
        self,
        plant: Stepper,
        actions: Mapping[str, tuple[float, float]],
        step: float,
        reward: Callable[[Values, Values], float],
        ends: Callable[[Values], bool] = lambda outputs: False,
        initial: Mapping[str, tuple[float, float]] | None = None,
        duration: float = np.inf,
    ) -> None:
        if set(actions) != set(plant.inputs):
            raise ModelError(
                f"the actions must be the inputs of the plant, {', '.join(plant.inputs)}; found {', '.join(actions)}",
                names=sorted({*actions} ^ {*plant.inputs}),
            )
        if not step > 0:
            raise ModelError(f"the step of an environment must be a positive time; found {step}")
        self._begun, self._step, self._duration = plant.copy(), float(step), float(duration)
        self._reward, self._ends = reward, ends
        self._names = list(plant.inputs)
        self._initial = _ranges(plant, initial or {})
        low, high = (np.array([actions[name][k] for name in self._names], float) for k in (0, 1))
        self.action_space = Box(low, high, dtype=np.float64)
        self.observation_space = Box(-np.inf, np.inf, (len(plant.outputs),), np.float64)
        self.plant = plant.copy()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode, at random where the initial state has ranges."""
        super().reset(seed=seed)
        self.plant = self._begun.copy()
        if self._initial:
            q, v = self.plant.joint_state
            drawn = {name: float(self.np_random.uniform(*ends)) for name, ends in self._initial.items()}
            q, v = ({name: drawn.get(name, x) for name, x in given.items()} for given in (q, v))
            self.plant.set_state(q, v)
        return self._observation(self.plant.outputs), {}

    def step(self, action: Sequence[float] | Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Advance by one step; a motion that cannot go on ends the episode, and the reason is in the information."""
        inputs = dict(zip(self._names, np.clip(action, self.action_space.low, self.action_space.high), strict=True))
        information = {}
        try:
            outputs = self.plant.step(self._step, inputs)
        except SimulationError as error:
            outputs, information = self.plant.outputs, {"reason": str(error)}
        reward, ended = float(self._reward(outputs, inputs)), bool(information) or bool(self._ends(outputs))
        late = self.plant.t - self.plant.start >= self._duration * (1 - 1e-12)
        return self._observation(outputs), reward, ended, late, information

    @staticmethod
    def _observation(outputs: Values) -> Array:
        return np.array([*outputs.values()], float)


def _ranges(plant: Stepper, initial: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Ranges of coordinates and rates of joints, by name."""
    known: Sequence[str] = [name for part in plant.joint_state for name in part]
    for name, (low, high) in initial.items():
        if name not in known:
            raise ModelError(f'there is no joint coordinate and no rate "{name}". {nearest(name, known)}', names=[name])
        if not -np.inf < low <= high < np.inf:
            raise ModelError(f"initial {name}: a range is its least and its largest number; found {low}, {high}")
    return dict(initial)
