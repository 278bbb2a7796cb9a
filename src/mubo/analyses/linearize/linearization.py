"""A linearisation: M, C, K on named degrees of freedom, modes, and the state space from loads to columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.linearize.state_space import StateSpace
from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.numerics.vibration_modes import (
    Complex,
    VibrationMode,
    normalize_shape,
    state_matrix,
    undamped_modes,
    vibration_modes,
    vibration_roots,
)
from mubo.results import Run
from mubo.results.presentation import DrawnResult, presented_by
from mubo.solvers.linear.input_output import InputOutput


@dataclass(frozen=True, eq=False, repr=False)
class Linearization(DrawnResult):
    """M δÿ + C δẏ + K δy = B δu about a reference, y the `dofs`: angles in radians, lengths in the model's unit.

    The equations are in the model's unit of torque where all degrees of freedom are angles, else in its unit of force,
    or that times its unit of length: so M and K stay symmetric. `matrix_units` names the unit of every entry. Modes are
    sorted, the slowest first.

    >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
    >>> linear.dofs, linear.M.shape, bool(linear.K[0, 0] > 0)
    (('A.q',), (1, 1), True)
    """

    model: str  # its name
    about: str  # the reference: "a stable equilibrium"
    time: float
    dofs: tuple[str, ...]
    values: Array  # y of the reference
    rates: Array  # ẏ of the reference
    M: Array
    C: Array
    K: Array
    sizes: Array  # per DOF: one radian, or the size of the mechanism for lengths
    dof_units: tuple[str, ...]  # units of the DOFs and of `values`: radians, and the model's unit of length
    declared: Mapping[str, str]  # units of "time", "angle" and the efforts along "angle" and "length" coordinates
    radian: float  # radians in the model's unit of angle
    effort: float  # the unit of the equations in internal units
    find_input_output: Callable[[], InputOutput]
    mode_motion: Callable[[VibrationMode, int, float | None, float], Run]  # moves the mechanism along a mode
    find_notes: Callable[[], Iterable[object]]  # each reads as its sentence

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on the reference and on the equations."""
        return tuple(map(str, self.find_notes()))

    @cached_property
    def modes(self) -> tuple[VibrationMode, ...]:
        """The vibration modes."""
        return vibration_modes(self.M, self.C, self.K, self.sizes)

    @cached_property
    def undamped(self) -> tuple[VibrationMode, ...]:
        """The vibration modes of the system without damping."""
        return undamped_modes(self.M, self.C, self.K, self.sizes)

    @cached_property
    def input_output(self) -> InputOutput:
        """Effects of the loads and derivatives of the columns, found when they are asked for."""
        return self.find_input_output()

    @property
    def loads(self) -> Mapping[str, Array]:
        """For each load with a law the generalised forces along the DOFs of a unit of its size.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> {name: column.shape for name, column in linear.loads.items()}
        {'load': (1,)}
        """
        return {name: force / self.effort for name, force in self.input_output.loads.items()}

    @property
    def columns(self) -> Mapping[str, Array]:
        """For each column its derivatives by y, ẏ and ÿ (3 × DOFs), in its own unit.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> linear.columns["A.v"].round(3).ravel().tolist()  # deg/s of A per rad/s of A
        [0.0, 57.296, 0.0]
        """
        return self.input_output.columns

    @property
    def factors(self) -> Mapping[str, float]:
        """For each column its unit in internal units: radians in a degree.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> round(linear.factors["A.v"], 6)  # π / 180
        0.017453
        """
        return self.input_output.factors

    @property
    def effort_factors(self) -> Mapping[str, float]:
        """For each column that is a coordinate the unit of an effort along it, in internal units.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> linear.effort_factors["crank.phi"]
        1.0
        """
        return self.input_output.effort_factors

    @property
    def units(self) -> Mapping[str, str]:
        """Unit of each column, and of "time" and "angle" as the model declares them; those of the DOFs are `dof_units`.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> linear.units["A.v"], linear.units["A.q"], linear.dof_units
        ('deg/s', 'deg', ('rad',))
        """
        return {**self.input_output.units, **{name: self.declared[name] for name in ("time", "angle")}}

    def matrix_units(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Unit of every entry of "M", "C" or "K": the effort along a DOF by the acceleration, rate or change of one.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> linear.matrix_units("K"), linear.matrix_units("M")
        ((('N m/rad',),), (('N m/(rad/s²)',),))
        """
        time = self.declared["time"] or "s"
        per = {"K": "/{}", "C": f"/({{}}/{time})", "M": f"/({{}}/{time}²)"}.get(name)
        if per is None:
            raise ResultError(f'a linearisation has the matrices M, C and K; found "{name}"')
        efforts = [self.declared["torque" if unit == "rad" else "force"] for unit in self.dof_units]
        return tuple(tuple(own + per.format(unit) if own else "" for unit in self.dof_units) for own in efforts)

    @property
    def eigenvalues(self) -> Complex:
        """All 2 n roots λ of the damped system, the slowest first.

        >>> len(mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).eigenvalues)
        2
        """
        return vibration_roots(self.M, self.C, self.K, self.sizes)

    @property
    def frequencies(self) -> Array:
        """Damped frequency of every mode, cycles per unit of time, as in a ring-down; 0 where it does not vibrate.

        >>> bool(mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).frequencies[0] > 1)
        True
        """
        return np.array([mode.frequency for mode in self.modes])

    @property
    def natural_frequencies(self) -> Array:
        """Without damping, radians per unit of time, one for each degree of freedom; NaN where nothing brings it back.

        >>> len(mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).natural_frequencies)
        1
        """
        return np.array([mode.root.imag if mode.oscillates else math.nan for mode in self.undamped])

    @property
    def damping(self) -> Array:
        """ζ = −Re λ / |λ| of every mode: negative where it grows.

        >>> float(mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).damping[0])
        0.0
        """
        return np.array([mode.damping for mode in self.modes])

    @property
    def growth(self) -> Array:
        """Re λ of every mode: positive where it grows.

        >>> float(mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).growth[0])
        0.0
        """
        return np.array([mode.growth for mode in self.modes])

    @property
    def shapes(self) -> Complex:
        """Modes × degrees of freedom, the largest component of each 1.

        >>> mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).shapes
        array([[1.+0.j]])
        """
        return np.array([mode.shape for mode in self.modes], complex).reshape(len(self.modes), len(self.dofs))

    def shape(self, number: int, columns: Sequence[str] = (), undamped: bool = False) -> dict[str, complex]:
        """The shape of a mode (from 1) by columns of bodies, points and joints, the largest of those asked for 1.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> sorted(linear.shape(1, ["crank.phi", "rocker.phi"]))
        ['crank.phi', 'rocker.phi']
        """
        mode = self._mode(number, self.undamped if undamped else self.modes)
        names = list(columns) or [name for name, derivatives in self.columns.items() if np.any(derivatives[0])]
        parts = np.array([self._column(name)[0] * self.factors[name] @ mode.shape for name in names])
        return dict(zip(names, map(complex, normalize_shape(parts)), strict=True))

    def motion(self, number: int, amplitude: float | None = None, cycles: float = 3) -> Run:
        """A mode (from 1) as a run to draw and film: `cycles` of a swing along its shape, closed at every row.

        `amplitude` is that of the largest component of the shape; a visible one if left out.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> linear.motion(1, cycles=1).animate("mode.gif", fps=4, speed=0.1, size=(160, 120))["frames"] > 2
        True
        """
        return self.mode_motion(self._mode(number, self.modes), number, amplitude, cycles)

    def report(self, path: str | Path) -> Any:
        """Writes one page on which every mode swings about the rest position, with its frequency and damping.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> page = linear.report("modes.html")
        """
        return presented_by("Linearization.report")(self, path)

    @staticmethod
    def _mode(number: int, modes: tuple[VibrationMode, ...]) -> VibrationMode:
        if not 1 <= number <= len(modes):
            raise ResultError(f"there is no mode {number}: there are {len(modes)}")
        return modes[number - 1]

    def _column(self, name: str) -> Array:
        if name not in self.columns:
            raise ResultError(f'there is no column "{name}". {nearest(name, self.columns)}', names=[name])
        return self.columns[name]

    def _input(self, name: str) -> Array:
        """A load by its size, or an effort along a coordinate such as "A.q" or "crank.phi"."""
        if name in self.loads:
            return self.loads[name]
        if name not in self.columns:
            known = nearest(name, [*self.loads, *self.dofs])
            raise ResultError(f'there is no load with a law, and no coordinate, "{name}". {known}', names=[name])
        along = self.columns[name]
        if not np.any(along[0]) or np.any(along[1]):  # a rate changes with rates
            raise ResultError(f'an input is a load, or a coordinate along which an effort acts; "{name}" is neither')
        return np.asarray(along[0] * self.factors[name] * self.effort_factors[name] / self.effort)

    def state_space(self, inputs: Sequence[str] | str = (), outputs: Sequence[str] | str = ()) -> StateSpace:
        """ẋ = A x + B u, z = C x + D u with x = (δy, δẏ): from loads to columns, all of them changes.

        Inputs are loads with a law, by their size, or coordinates along which an effort acts; outputs are columns or
        measures, in their units. All loads and all degrees of freedom if left out.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> space = linear.state_space("load", ["crank.phi", "crank.omega"])
        >>> space.A.shape, space.B.shape, space.C.shape, space.D.shape
        ((2, 2), (2, 1), (2, 2), (2, 1))
        """
        u = [inputs] if isinstance(inputs, str) else list(inputs or self.loads)
        z = [outputs] if isinstance(outputs, str) else list(outputs or self.dofs)
        n = len(self.dofs)
        force = np.array([self._input(name) for name in u]).reshape(len(u), n).T
        pushed = np.linalg.solve(self.M, force)
        derivatives = np.array([self._column(name) for name in z]).reshape(len(z), 3, n)
        A = state_matrix(self.M, self.C, self.K)
        output = np.concatenate([derivatives[:, 0], derivatives[:, 1]], 1) + derivatives[:, 2] @ A[n:]
        B = np.vstack([np.zeros_like(pushed), pushed])
        states = (*self.dofs, *(f"rate of {name}" for name in self.dofs))
        return StateSpace(states, tuple(u), tuple(z), A, B, output, derivatives[:, 2] @ pushed)

    def to_scipy(self, inputs: Sequence[str] | str = (), outputs: Sequence[str] | str = ()) -> Any:
        """The state space as `scipy.signal.StateSpace`.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
        >>> linear.to_scipy("load", "crank.phi").outputs
        1
        """
        return self.state_space(inputs, outputs).to_scipy()

    def as_dict(self) -> dict[str, Any]:
        """Everything but derivatives of columns, as plain numbers.

        >>> sorted(mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).as_dict())[:3]
        ['C', 'K', 'M']
        """
        entries: dict[str, Any] = presented_by("Linearization.as_dict")(self)
        return entries

    def save(self, path: str | Path, inputs: Sequence[str] | str = (), outputs: Sequence[str] | str = ()) -> None:
        """Writes matrices, modes and the state space; the ending decides: .json or .npz.

        >>> mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}).save("modes.json")
        """
        presented_by("Linearization.save")(self, path, inputs, outputs)
