"""The mechanism that is solved: a checked model as bodies, named rows, named loads and one spanning tree with its cut
joints."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import Registry
from mubo.mechanism.estimates import estimate_poses
from mubo.mechanism.lengths import geometry_notes, typical_length
from mubo.mechanism.rows import Equation, NamedRow, Values, pack
from mubo.model import Driver, ModelDefinition, target_of
from mubo.model.coordinates import grounded
from mubo.model.options import MOST_RADIANS

if TYPE_CHECKING:
    from mubo.laws import Law
    from mubo.mechanism.loads import NamedLoad
    from mubo.mechanism.plane_rows import PlaneRows
    from mubo.mechanism.space_rows import SpaceRows
    from mubo.topology.tree import SpanningTree


ROW_BUILDERS: Registry[type[PlaneRows | SpaceRows]] = Registry(
    {"2": "mubo.mechanism.plane_rows:PlaneRows", "3": "mubo.mechanism.space_rows:SpaceRows"}
)


@dataclass(frozen=True)
class EquationParameter:
    """One number of the equations: its owner, its name there, and its component."""

    owner: Equation
    quantity: str
    component: int


@dataclass(frozen=True)
class _EquationRows:
    """Rows of all elements, with the quantities of every joint and notes on those taken from the estimates."""

    rows: tuple[NamedRow, ...]
    values: Mapping[str, Values]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Mechanism:
    """A sound model, by names. Formulations compile it for the core; it derives only what they ask for."""

    model: ModelDefinition
    free: tuple[str, ...]  # bodies that own unknowns, in the order of the unknowns
    fixed: tuple[str, ...]

    @property
    def dimension(self) -> int:
        return self.model.dimension

    @cached_property
    def poses(self) -> Mapping[str, Array]:
        """Estimates of all bodies: x, y, φ; in space position and quaternion."""
        with _errors_with_file(self.model):
            return estimate_poses(self.model)

    @cached_property
    def _rows(self) -> _EquationRows:
        return self.equation_rows(self.poses)

    def equation_rows(self, poses: Mapping[str, Array]) -> _EquationRows:
        """All rows; with derivatives by parameters where the poses have some."""
        model, joints = self.model, self.model.joints.values()
        with _errors_with_file(model):
            maker = ROW_BUILDERS[str(model.dimension)](model, poses)
            rows = [row for name in self.free for row in maker.body(name)]
            rows += [row for joint in joints for row in maker.joint(joint)]
            rows += [row for k, driver in enumerate(model.drivers.values()) for row in maker.driver(driver, k)]
        return _EquationRows(tuple(rows), maker.values, tuple(maker.notes))

    @property
    def rows(self) -> tuple[NamedRow, ...]:
        """Every equation: of bodies, joints and drivers, in this order."""
        return self._rows.rows

    @property
    def values(self) -> Mapping[str, Values]:
        """Points and options of every joint, those left out included."""
        return self._rows.values

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on quantities taken from the estimates, and on lengths too far apart."""
        return (*self._rows.notes, *self.starting_notes, *self.length_notes)

    @cached_property
    def length_notes(self) -> tuple[str, ...]:
        """Notes on lengths that lie too far apart, on gears that do not touch, and on crosses beside their shafts."""
        return tuple(geometry_notes(self.model, self.values))

    @cached_property
    def drawn_values(self) -> Array:
        """Value of each driven coordinate at the estimated positions, in the units of its law; rotations of joints in
        space between −180° and 180°. Φ of a driver's row is that minus f."""
        rows = [row for row in self.rows if row.driver >= 0]
        system = pack(rows, self.dimension, list(self.poses), {})
        place = np.concatenate(list(self.poses.values()))
        return np.asarray(system.phi(place, np.zeros(3 * len(self.model.drivers)))) / self.motion_factors

    @cached_property
    def starts(self) -> Array:
        """Constant added to the law of each driver: its value as drawn where it starts there, else zero."""
        asked = np.array([bool(driver.start) for driver in self.model.drivers.values()], bool)
        return np.where(asked, self.drawn_values, 0.0) if asked.any() else np.zeros(len(asked))

    @property
    def starting_notes(self) -> tuple[str, ...]:
        """Notes on the start values of drivers that start as drawn."""
        units, drivers = self.model.units, self.model.drivers.values()
        return tuple(
            f"driver {driver.name}: counts from "
            + f"{value:.9g} {units.unit_of(target_of(self.model, driver.of).holds)}".rstrip()
            + ", its value at the estimated positions"
            for driver, value in zip(drivers, self.starts, strict=True)
            if driver.start
        )

    @cached_property
    def motion_factors(self) -> Array:
        """Radians per model unit for drivers of angles, else 1."""
        return np.array([motion_factor(self.model, driver) for driver in self.model.drivers.values()])

    @cached_property
    def driver_units(self) -> dict[str, str]:
        """The unit of every driver's value; "" where the model declares none."""
        units, drivers = self.model.units, self.model.drivers.items()
        return {name: units.unit_of(target_of(self.model, driver.of).holds) for name, driver in drivers}

    @cached_property
    def driver_weight(self) -> Array:
        """Weight of every driver's row: 1 for an angle in radians, one over the mechanism's size for a length."""
        angle, turns = self.model.units.angle_factor(), self.motion_factors
        measured = [target_of(self.model, driver.of).holds for driver in self.model.drivers.values()]
        return np.where(np.array(measured) == "angle", angle / turns, 1 / self.size)

    @cached_property
    def size(self) -> float:
        """A typical length."""
        return typical_length(self.model)

    @cached_property
    def equations(self) -> tuple[Equation, ...]:
        """Owner and meaning of each equation."""
        return tuple(equation for row in self.rows for equation in row.equations)

    @cached_property
    def equation_counts(self) -> Mapping[str, int]:
        """Number of equations of each element."""
        return Counter(equation.name for equation in self.equations)

    @cached_property
    def parameters(self) -> tuple[EquationParameter, ...]:
        """Meaning of each number of the equations, in the order of the core."""
        return tuple(
            EquationParameter(row.owner, quantity, component)
            for row in self.rows
            for quantity, numbers in row.values.items()
            for component in range(len(numbers))
        )

    @cached_property
    def loads(self) -> tuple[NamedLoad, ...]:
        """Every force, in the order in which it was written."""
        from mubo.mechanism.loads import named_loads

        return tuple(named_loads(self.model))

    @cached_property
    def tree(self) -> SpanningTree:
        """Hinges from the ground outwards, and the joints that close loops."""
        from mubo.topology.tree import spanning_tree

        return spanning_tree(self.model)

    def motion(self, t: Array) -> Array:
        """f, f', f'' of every driver at the times t: one line per time, three columns per driver."""
        t = np.asarray(t, float)
        out = np.zeros((len(t), 3 * len(self.model.drivers)))
        for k, driver in enumerate(self.model.drivers.values()):
            require_domain("driver", driver.name, driver.motion, t)
            law = driver.motion(t)
            law[:, 0] += self.starts[k]
            out[:, 3 * k : 3 * k + 3] = law * self.motion_factors[k]
        _require_numbers(self.model, t, out, self._most_driven)
        return out

    @cached_property
    def _most_driven(self) -> Array:
        """Bound of each column of `motion`: finite numbers, and angles whose revolutions are still resolved; with the
        sign of an advance: the slide of a left-hand screw falls as it turns."""
        most = np.full(3 * len(self.model.drivers), np.finfo(float).max)
        turns = [target_of(self.model, driver.of).holds == "angle" for driver in self.model.drivers.values()]
        most[::3][turns] = MOST_RADIANS / self.driver_weight[turns]  # for a screw the column is its slide
        return most

    def driver_values(self, motion: Array) -> dict[str, float]:
        """Value of every driver in the model's units, from a line of `motion`."""
        values = motion[::3] / self.motion_factors
        return dict(zip(self.model.drivers, (float(v) for v in values), strict=True))


def mechanism_of(model: ModelDefinition) -> Mechanism:
    """The mechanism of a model, which keeps it, or a refusal with all its problems."""
    kept: Mechanism | None = model.derived_values.get("mechanism")
    if kept is None:
        require_sound(model)
        anchored = {*grounded(model)}
        free = tuple(name for name in model.bodies if name not in anchored)
        if not free:
            raise ModelError("every body is grounded: nothing can move")
        kept = Mechanism(model, free, tuple(name for name in model.bodies if name in anchored))
        model.derived_values["mechanism"] = kept
    return kept


@contextmanager
def _errors_with_file(model: ModelDefinition) -> Iterator[None]:
    """Prefix errors of an element with the model's file."""
    try:
        yield
    except ModelError as error:
        raise ModelError(f"{model.where}{error}", names=error.names) from None


def require_sound(model: ModelDefinition) -> None:
    """Raise with all problems of names and references."""
    if model.problems:
        raise ModelError(
            model.where + "\n".join(str(problem) for problem in model.problems),
            names=[problem.where[1] for problem in model.problems if len(problem.where) > 1],
        )


def motion_factor(model: ModelDefinition, driver: Driver, like: Array | None = None) -> float:
    """Change of a driver's row per unit of its motion law: a screw is driven by its slide."""
    target = target_of(model, driver.of)
    factor = model.units.angle_factor() if target.holds == "angle" else 1.0
    if target.element.moves != "screw":
        return factor
    from mubo.mechanism.joint_frames import joint_motion

    return factor * joint_motion(model, model.joints[target.joint].arms[target.arm], like).advance


def decade(size: float) -> float:
    """The power of ten at or below a size: 1 for 4, 0.01 for 0.05."""
    return float(10.0 ** math.floor(math.log10(size)))


def require_domain(kind: str, name: str, law: Law, t: Array) -> None:
    """Refuse times outside the samples of the law of a driver or force."""
    first, last = law.domain
    slack = 1e-9 * (last - first) if math.isfinite(last - first) else 0.0
    outside = (t < first - slack) | (t > last + slack)
    if np.any(outside):
        at = float(t[np.argmax(outside)])
        raise ModelError(
            f"{kind} {name}: its data covers t = {first:g} to {last:g}; t = {at:g} is asked for",
            names=[name],
            numbers={"t": at},
            suggestion="Shorten the analysis, or give data for the whole of it.",
        )


def _require_numbers(model: ModelDefinition, t: Array, motion: Array, most: Array) -> None:
    bad = ~(np.abs(motion) <= np.abs(most))
    if not np.any(bad):
        return
    line, column = np.argwhere(bad)[0]
    name, value = list(model.drivers)[column // 3], float(motion[line, column])
    what = ("value", "velocity", "acceleration")[column % 3]
    why = f"its {what} at t = {t[line]:g} is {value}"
    if math.isfinite(value):
        angle = value / most[column] * MOST_RADIANS
        why = f"its angle at t = {t[line]:g} is {angle:.4g} rad: more revolutions than can be resolved"
    raise ModelError(
        f"driver {name}: {why}",
        names=[name],
        numbers={"t": float(t[line])},
        suggestion="Check the motion law at that time.",
    )
