"""The mechanism that is solved: a checked model as bodies, named rows, named loads and one spanning tree with its cut
joints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.elements import Ambient
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import Registry, cached_property, found_once
from mubo.mechanism.estimates import estimate_poses
from mubo.mechanism.lengths import geometry_notes, typical_length
from mubo.mechanism.rows import ON_VELOCITIES, Equation, EquationParameter, EquationRows, NamedRow, Values, pack
from mubo.model import Driver, ModelDefinition, target_of
from mubo.model.coordinates import grounded
from mubo.model.options import MOST_RADIANS
from mubo.note import Note

if TYPE_CHECKING:
    from mubo.mechanism.loads import NamedLoad
    from mubo.mechanism.plane_rows import PlaneRows
    from mubo.mechanism.space_rows import SpaceRows
    from mubo.topology.tree import SpanningTree


ROW_BUILDERS: Registry[type[PlaneRows | SpaceRows]] = Registry(
    {"2": "mubo.mechanism.plane_rows:PlaneRows", "3": "mubo.mechanism.space_rows:SpaceRows"}
)


@dataclass(frozen=True)
class Mechanism:
    """A sound model, by names. Formulations compile it for the core; it derives only what they ask for."""

    model: ModelDefinition
    free: tuple[str, ...]  # bodies that own unknowns, in the order of the unknowns
    fixed: tuple[str, ...]
    positions_only: bool = False  # whether the equations on velocities are left out

    @cached_property
    def of_positions(self) -> Mechanism:
        """The mechanism without its equations on velocities: what determines the positions that it can have."""
        return self if self.positions_only or not self.on_velocities else replace(self, positions_only=True)

    def key(self, what: str) -> str:
        """The key under which the structure of the model keeps something of these equations."""
        return f"{what} of positions" if self.positions_only else what

    @cached_property
    def on_velocities(self) -> tuple[bool, ...]:
        """Whether each equation constrains velocities alone, such as rolling; empty where none does."""
        kinds = ON_VELOCITIES[self.dimension]
        if not {row.kind for row in self.rows} & kinds:
            return ()
        return tuple(row.kind in kinds for row in self.rows for _ in row.words)

    @property
    def dimension(self) -> int:
        return self.model.dimension

    @property
    def ambient(self) -> Ambient:
        return self.model.ambient

    @cached_property
    def poses(self) -> Mapping[str, Array]:
        """Estimates of all bodies: x, y, φ; in space position and quaternion."""
        with _errors_with_file(self.model):
            return estimate_poses(self.model)

    @cached_property
    def _rows(self) -> EquationRows:
        return self.equation_rows(self.poses)

    def equation_rows(self, poses: Mapping[str, Array]) -> EquationRows:
        """All rows; with derivatives by parameters where the poses have some."""
        model, joints = self.model, self.model.joints.values()
        with _errors_with_file(model):
            maker = ROW_BUILDERS[str(model.dimension)](model, poses)
            rows = [row for name in self.free for row in maker.body(name)]
            rows += [row for joint in joints for row in maker.joint(joint)]
            rows += [row for k, driver in enumerate(model.drivers.values()) for row in maker.driver(driver, k)]
        if self.positions_only:
            rows = [row for row in rows if row.kind not in ON_VELOCITIES[model.dimension]]
        return EquationRows(tuple(rows), maker.values, tuple(maker.notes))

    @property
    def rows(self) -> tuple[NamedRow, ...]:
        """Every equation: of bodies, joints and drivers, in this order."""
        return self._rows.rows

    @property
    def values(self) -> Mapping[str, Values]:
        """Points and options of every joint, those left out included."""
        return self._rows.values

    @property
    def has_numbers_of_estimates(self) -> bool:
        """Whether the rows may have numbers that follow from where bodies are estimated to be: always in space."""
        return self.dimension == 3 or bool(self._rows.notes)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on quantities taken from the estimates, and on lengths too far apart."""
        return (*self._rows.notes, *self.starting_notes, *self.length_notes)

    @cached_property
    def contact_notes(self) -> tuple[Note, ...]:
        """Notes on what is drawn beside the surface on which it rolls; a disc that lies flat is refused."""
        if not any(self.model.kinds[joint.kind].contact for joint in self.model.joints.values()):
            return ()
        from mubo.mechanism.contact_gaps import contact_notes

        return tuple(contact_notes(self.model, self.poses, self.rows, self.values, self.size))

    @cached_property
    def length_notes(self) -> tuple[Note, ...]:
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
    def starting_notes(self) -> tuple[Note, ...]:
        """Notes on the start values of drivers that start as drawn."""
        units, drivers = self.model.units, self.model.drivers.values()
        started = [pair for pair in zip(drivers, self.starts.tolist(), strict=True) if pair[0].start]
        holds = [target_of(self.model, driver.of).holds for driver, _ in started]
        return tuple(
            Note("mechanism.counts_from", driver=driver.name, value=value, holds=kind, units=units)
            for (driver, value), kind in zip(started, holds, strict=True)
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
        """Owner and meaning of each equation, the same in every variant."""
        every = (equation for row in self.rows for equation in row.equations)
        return found_once(self.model.structure, self.key("equations"), lambda: tuple(every))

    @property
    def equation_kinds(self) -> Mapping[str, int]:
        """Number of equations of bodies, joints and drivers, the same in every variant."""
        every = (equation.kind for equation in self.equations)
        return found_once(self.model.structure, self.key("kinds of equations"), lambda: Counter(every))

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
        t, out = np.asarray(t, float), np.zeros((len(t), 3 * len(self.model.drivers)))
        for k, driver in enumerate(self.model.drivers.values()):
            driver.motion.require_domain(f"driver {driver.name}", t, self.model.units.time_text)
            law = driver.motion(t)
            law[:, 0] += self.starts[k]
            out[:, 3 * k : 3 * k + 3] = law * self.motion_factors[k]
        if not (np.abs(out) <= np.abs(self._most_driven)).all():
            from mubo.mechanism.driver_values import refuse_values

            refuse_values(self.model, t, out, self._most_driven)
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
        return dict(zip(self.model.drivers, (motion[::3] / self.motion_factors).tolist(), strict=True))


def mechanism_of(model: ModelDefinition) -> Mechanism:
    """The mechanism of a model, which keeps it, or a refusal with all its problems."""
    kept: Mechanism | None = model.derived_values.get("mechanism")
    if kept is None:
        require_sound(model)
        free, fixed = found_once(model.structure, "free and fixed bodies", lambda: _free_and_fixed(model))
        if not free:
            raise ModelError("every body is grounded: nothing can move")
        kept = model.derived_values["mechanism"] = Mechanism(model, free, fixed)
    return kept


def _free_and_fixed(model: ModelDefinition) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bodies that own unknowns, and the others, the same in every variant."""
    anchored = {*grounded(model)}
    return tuple(n for n in model.bodies if n not in anchored), tuple(n for n in model.bodies if n in anchored)


def share_equations(known: Mechanism, model: ModelDefinition) -> None:
    """Give a model the equations of a mechanism that differs from it in the estimated positions of bodies alone."""
    if not known.has_numbers_of_estimates:
        shared = Mechanism(model, known.free, known.fixed)
        shared.__dict__.update(_rows=known._rows, size=known.size)
        model.derived_values["mechanism"] = shared


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
