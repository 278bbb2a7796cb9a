"""The motion of a model while its dimensions are changed by hand or by a loop: positions alone, as fast as it gets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.design.batch import BatchTask, batch_task, end_message
from mubo.docstrings import documented
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.column_names import body_columns, point_columns
from mubo.model.coordinates import grounded
from mubo.quantities.output_times import OutputTimes
from mubo.solvers.continuation.steppers import Settings


class LiveMotion:
    """Positions of all bodies and points over a time grid, for other dimensions at every call.

    The model is compiled once. Every call leads it from its own dimensions to those given, on the same branch, and over
    the grid; the answer does not depend on what was asked before. Nothing is allocated: all calls fill the same array.

    Examples
    --------
    >>> live = mubo.load("four_bar.toml").live(["coupler.C"], 0, 1, 0.1, columns=["P.x", "P.y"])
    >>> live.positions([2.1, 0]).shape, live.names, live.message
    ((11, 2), ('P.x', 'P.y'), '')
    """

    def __init__(self, task: BatchTask) -> None:
        self._task = task
        self._line = np.empty((1, sum(len(one.nominal) for one in task.dimensions)))
        self._out = np.empty((1, len(task.times), len(task.picked)))
        self.t = task.grid
        self.names = tuple(column.name for column in task.picked)
        self.message = ""  # why the last answer has rows without numbers

    @property
    def dimensions(self) -> dict[str, tuple[float, ...]]:
        """The dimensions that vary, with the numbers that the model has.

        Examples
        --------
        >>> mubo.load("four_bar.toml").live(["coupler.C"], 0, 1, 0.1).dimensions
        {'coupler.C': (2.0, 0.0)}
        """
        return {one.name: tuple(map(float, one.nominal)) for one in self._task.dimensions}

    @documented(
        numbers="The numbers of all dimensions in their order, two for a point, one for a length.",
        returns="Positions, times × columns. It is the same array at every call; copy what has to stay.",
        raises={"ModelError": "If the numbers are too few, too many or not finite."},
    )
    def positions(self, numbers: Sequence[float]) -> Array:
        """Positions at all times with these dimensions; rows that cannot be reached are NaN, and `message` says why.

        >>> live = mubo.load("four_bar.toml").live(["coupler.C"], 0, 1, 0.1, columns=["P.x"])
        >>> float(live.positions([2.0, 0])[0, 0]) == float(live.positions([2.0, 0])[0, 0])
        True
        """
        line = np.asarray(numbers, float).reshape(-1)
        if len(line) != self._line.shape[1] or not np.isfinite(line).all():
            wanted = ", ".join(f"{name} {len(nominal)}" for name, nominal in self.dimensions.items())
            raise ModelError(f"positions need finite numbers of {wanted}; found {list(line)}")
        self._line[0] = line
        ends = self._task.solve(self._line, self._out, 1)
        out = self._task.in_rows(self._out, ends)
        self.message = ""
        if ends[1, 0] != len(self.t) - 1:
            self.message = end_message(self._task.look.form.model.units, *ends[:, 0])
        return np.asarray(out[0])


def live_motion(
    model: ModelDefinition,
    names: Sequence[str],
    times: OutputTimes,
    columns: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> LiveMotion:
    """Compile a model for live positions of some columns; those of all moving bodies and points by default."""
    if columns is None:
        standing = {*grounded(model)}
        moving = [body_columns(name, 2) for name in model.bodies if name not in standing]
        every = [*moving, *(point_columns(name, 2) for name in model.points)]
        columns = [column.name for group in every for column in group if column.order == 0]
    given = {name: np.zeros((1, 1 if name in _lengths(model) else 2)) for name in names}
    return LiveMotion(batch_task(model, given, times, columns, settings or Settings()))


def _lengths(model: ModelDefinition) -> set[str]:
    """Names of the lengths of joints, which are one number; points are two."""
    joints = model.joints.values()
    return {f"{joint.name}.{option.name}" for joint in joints for option in model.kinds[joint.kind].options}
