"""Joints and drivers of the plane as named rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from mubo.arrays import Array
from mubo.elements import CLOSING, COORDINATES, Element, Row
from mubo.errors import ModelError
from mubo.laws.tangent import Tangent, all_derivatives, names_of, value_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.rows import Equation, NamedRow, Values, named_row, pack
from mubo.model import Driver, Joint, ModelDefinition, target_of
from mubo.model.coordinates import Target
from mubo.note import Note

if TYPE_CHECKING:
    from mubo.mechanism.curves import CurvePieces
    from mubo.mechanism.profiles import CamProfile


NO_MOTION = np.zeros(0)


@dataclass(frozen=True)
class JointOptions:
    """A joint with its options, defaults filled in, the numbers that follow from them alone, and its pairs of ends with
    their bodies by letter."""

    joint: Joint
    element: Element
    owner: Equation
    options: Mapping[str, Any]
    numbers: Values
    pairs: Sequence[tuple[tuple[str, ...], Mapping[str, str]]]
    points: tuple[tuple[str, str], ...] | None  # body and name of its points; None where its rows need more than these
    kept: list[tuple[list[Any], list[NamedRow], Values]]  # the last places of its points, rows and quantities there


class PlaneRows:
    """Rows of a planar model; quantities left out are taken from the estimated `poses` and noted.

    `values` are the quantities of every joint, those left out included. They have derivatives by parameters
    where the `poses` have some.
    """

    def __init__(self, model: ModelDefinition, poses: Mapping[str, Array]) -> None:
        self.model, self.poses = model, poses
        self.notes: list[Note] = []
        self.values: dict[str, Values] = {}

    def body(self, name: str) -> Iterator[NamedRow]:
        """Rows of a body: a planar body has none."""
        return iter(())

    def joint(self, joint: Joint) -> Iterable[NamedRow]:
        """Rows of a joint; those of a variant in which its points are where they were are not made again."""
        read = self._read(joint)
        if read.points is None:
            return self._rows_of_joint(joint, read)
        bodies = self.model.bodies
        places = [bodies[body].points[point] for body, point in read.points]
        known = read.kept[0] if read.kept else None
        if known is None or not all(map(is_, known[0], places)):
            known = places, [*self._rows_of_joint(joint, read)], self.values[joint.name]
            read.kept[:] = [known]
        _, rows, self.values[joint.name] = known
        return rows

    def _rows_of_joint(self, joint: Joint, read: JointOptions) -> Iterator[NamedRow]:
        """Rows of a joint; a pin with more than two ends becomes pairs with its first end."""
        element, owner, options = read.element, read.owner, read.options
        for ends, bodies in read.pairs:
            values = self._points(element, ends) | read.numbers
            if "slots" in values:
                from mubo.mechanism.gear_centers import require_fitting_crank

                require_fitting_crank(self.model, joint)
            for row in element.rows:
                profile = self._profile(joint, element, row, options, values)
                self._close(joint, element, row, values, bodies, options)
                if element.profiled:
                    from mubo.mechanism.cams import CONTACTS, cam_notes

                    self.notes += cam_notes(CONTACTS[row.kind], joint, cast("CamProfile", profile), self.model.units)
                yield named_row(row, values, bodies, owner, profile=profile)
            self.values[joint.name] = values

    def driver(self, driver: Driver, column: int) -> Iterable[NamedRow]:
        """The row whose right side is the driver's law; that of a variant in which its target is the same is kept."""
        target, kept = target_of(self.model, driver.of), self.model.structure.setdefault("driver rows", {})
        known = kept.get(driver.name)
        if known is None or known[1] != column or not _same_target(known[0], target):
            known = kept[driver.name] = target, column, [*self._rows_of_driver(driver, target, column)]
        rows: list[NamedRow] = known[2]
        return rows

    def _rows_of_driver(self, driver: Driver, target: Target, column: int) -> Iterator[NamedRow]:
        """The rows of a driver of a target."""
        bodies = dict(zip("ij", target.bodies, strict=False))
        values: Values = {"zero": [0.0]}
        values |= {name: list(at) for name, at in zip(("point_i", "point_j"), target.points, strict=False)}
        values["coordinate"] = [float(name == target.picked) for name in COORDINATES]
        values["direction"] = values["coordinate"][:2]
        if target.axis is not None:
            values["axis"] = _unit(*target.axis)
        for row in target.element.rows:
            yield named_row(row, values, bodies, Equation("driver", driver.name), column, of=target.joint)

    def _read(self, joint: Joint) -> JointOptions:
        """The options of a joint, which variants of a model share as long as they have the same joint."""
        kept = self.model.structure.setdefault("joint options", {})
        if joint.name not in kept or kept[joint.name].joint is not joint:
            element = self.model.kinds[joint.kind]
            options = {option.name: joint.options.get(option.name, option.default) for option in element.options}
            carriers = {o.name: options[o.name] for o in element.options if o.holds == "body"}
            pairs = []
            for second in joint.between[1:] or (None,):
                ends = joint.between[:1] if second is None else (joint.between[0], second)
                bodies = {letter: end.partition(".")[0] for letter, end in zip("ij", ends, strict=False)}
                pairs.append((ends, bodies | carriers))
            numbers = self._numbers(joint, element, options)
            owner, points = Equation("joint", joint.name), self._points_alone(joint, element, options)
            kept[joint.name] = JointOptions(joint, element, owner, options, numbers, pairs, points, [])
        found: JointOptions = kept[joint.name]
        return found

    def _points_alone(
        self, joint: Joint, element: Element, options: Mapping[str, Any]
    ) -> tuple[tuple[str, str], ...] | None:
        """Points of bodies that, with its options, determine the rows of a joint; None where more does."""
        more = element.ends != "point" or element.key == "of" or element.profiled or element.curved
        if more or any(value is CLOSING for value in options.values()):
            return None
        ends = [end.partition(".")[::2] for end in joint.between]
        bodies = self.model.bodies
        known = all(body in bodies and point in bodies[body].points for body, point in ends)
        return tuple(ends) if known and not any(end in self.model.points for end in joint.between) else None

    def _points(self, element: Element, ends: tuple[str, ...]) -> Values:
        """Points of a joint, or the coordinate of a body that it is about, by the names of elements/declare.py."""
        if element.key == "of":
            picked = ends[0].partition(".")[2]
            return {"coordinate": [float(name == picked) for name in COORDINATES]}
        if element.ends != "point":
            return {}
        place = self.model.place
        return {name: list(place(reference)[1]) for name, reference in zip(("point_i", "point_j"), ends, strict=True)}

    def _numbers(self, joint: Joint, element: Element, options: Mapping[str, Any]) -> Values:
        """Directions and numbers that follow from the options of a joint alone."""
        from mubo.laws.dependent import kept

        try:
            values: Values = dict(element.derive(options))
        except ModelError as error:
            raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None
        for option in element.options:
            value = options[option.name]
            if option.holds == "direction":
                values[option.name] = _unit(*value)
            elif isinstance(value, float | int):
                values[option.name] = [kept(value)]
        return values

    def _profile(
        self, joint: Joint, element: Element, row: Row, options: Mapping[str, Any], values: Values
    ) -> CamProfile | CurvePieces | None:
        if element.curved:
            from mubo.mechanism.curves import curve_of

            curve = curve_of(joint)
            values["reach"] = [curve.reach]
            return curve
        if not element.profiled:
            return None
        from mubo.mechanism.cams import CONTACTS, cam_profile

        return cam_profile(CONTACTS[row.kind], joint, options, self.model.units, values["point_i"])

    def _close(
        self,
        joint: Joint,
        element: Element,
        row: Row,
        values: Values,
        bodies: Mapping[str, str],
        options: Mapping[str, Any],
    ) -> None:
        """The constant that was left out: it makes the row's Φ zero at the estimated positions, and is noted."""
        for name in row.quantities:
            if options.get(name) is not CLOSING:
                continue
            values[name] = [0.0]
            alone = named_row(row, values, bodies, Equation("joint", joint.name))
            found = closing_constant(alone, name, self.poses)
            value = float(value_of(found))
            option = next(o for o in element.options if o.name == name)
            if option.positive and not value > 0:
                raise ModelError(f"joint {joint.name}: {name} is zero at the estimated positions; give it")
            values[name] = [found]
            units = self.model.units
            shown = value / units.angle_factor() if option.holds == "angle" else value
            unit = units.unit_of(option.holds) if option.holds in ("angle", "length") else ""
            self.notes.append(
                Note("mechanism.taken_from_estimates", joint=joint.name, option=name, value=shown, unit=unit)
            )


def _same_target(one: Target, other: Target) -> bool:
    """Whether two targets are the same, by the same objects for points: equal numbers may have other derivatives."""
    places = (one.axis, *one.points), (other.axis, *other.points)
    return one == other and all(map(is_, *places))


def _unit(x: float, y: float) -> list[float]:
    from mubo.laws.dependent import hypot

    length = hypot(x, y)
    return [x / length, y / length]


def closing_constant(row: NamedRow, name: str, poses: Mapping[str, Array]) -> float:
    """The quantity `name`, which is zero in `row`: constants enter their row linearly, so c is Φ over −∂Φ/∂c.

    Where the poses have derivatives by parameters p, so has c: Φ_c c_p = −(Φ_q q_p + Φ_s s_p), s the other numbers.
    """
    around = {body: poses[body] for body in dict.fromkeys(row.bodies)}
    q = np.concatenate([value_of(pose) for pose in around.values()])
    place = list(row.values).index(name)
    number = sum(len(numbers) for numbers in list(row.values.values())[:place])
    system = pack([row], 2, list(around), {})
    c = float(system.phi(q, NO_MOTION)[0] / -system.parameter_jacobian(q, NO_MOTION)[0, number])
    names = names_of(around.values())
    if not names:
        return c
    closed = NamedRow(row.kind, row.owner, row.bodies, {**row.values, name: (c,)}, row.words)
    system = pack([closed], 2, list(around), {})
    by_numbers, by_poses = system.parameter_jacobian(q, NO_MOTION)[0], system.jacobian(q, NO_MOTION)[0]
    moved = np.concatenate([all_derivatives(pose, names) for pose in around.values()], axis=1)
    change = moved @ by_poses + row_derivatives(closed, names) @ by_numbers
    return Tangent(c, -change / by_numbers[number], names)  # type: ignore[return-value]  # stands for a number


def row_derivatives(row: NamedRow, names: tuple[str, ...]) -> Array:
    """Derivatives of all numbers of a row by parameters: (names, numbers)."""
    return np.array([all_derivatives(number, names) for number in row.parameters]).reshape(-1, len(names)).T
