"""Strength in space: pins, balls and crosses under their reactions, links as beams in two planes with torsion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.applications.strength.buckling import CompressedMember
from mubo.applications.strength.checks import StrengthCheck, against, format_value
from mubo.applications.strength.force_history import ForceSample
from mubo.applications.strength.pins import KIND, PLANES, SHEAR_YIELD
from mubo.applications.strength.space_beams import SpatialBeam, spatial_forces
from mubo.applications.strength.space_sections import space_section_of
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.column_names import Column
from mubo.model.details import material_of
from mubo.model.parts import Detail
from mubo.results.record import Place

Peaks = dict[str, tuple[float, float]]
NOTHING = 1e-9  # of the largest: a load that is rounding
CLOSED = 1e-6  # of the largest force or moment along a beam: a smaller gap is none


@dataclass(frozen=True)
class SpatialPin:
    """A pin, ball or cross where it carries its second body."""

    detail: Detail
    place: Place
    number: int

    @property
    def owner(self) -> str:
        return self.place.owner

    def unique(self, sample: ForceSample) -> bool:
        """Whether equilibrium alone determines its force."""
        return bool(sample.forces.unique[:, self.number, :3].all())

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """The size of its force, and of the moment that it carries."""
        wrench = sample.forces.wrenches[:, self.number]
        for word, part, holds in (("f", wrench[:, :3], "force"), ("m", wrench[:, 3:], "torque")):
            yield Column(f"{self.owner}.{word}", KIND, self.owner, word, 0, holds), np.linalg.norm(part, axis=1)


@dataclass(frozen=True)
class SpatialLink:
    """A straight beam and its material."""

    beam: SpatialBeam
    material: Detail

    @property
    def owner(self) -> str:
        return self.beam.body

    def unique(self, sample: ForceSample) -> bool:
        """Whether equilibrium alone determines all that enters it."""
        places = sample.solver.reaction_map.places
        mine = [k for k, place in enumerate(places) if place.body == self.owner]
        return bool(sample.forces.unique[:, mine].all())

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """Along the beam the largest stress, torque, bending moment and compression at every time."""
        cut, section = spatial_forces(self.beam, sample), self.beam.section
        stress = section.mises(cut.n, cut.height, cut.width, cut.torque)
        for word, values, holds in (
            ("stress", stress, "stress"),
            ("torsion", np.abs(cut.torque) * section.twist, "stress"),
            ("bending", section.bending(cut.height, cut.width), "stress"),
            ("compression", np.maximum(-cut.n, 0.0), "force"),
        ):
            yield Column(f"{self.owner}.{word}", KIND, self.owner, word, 0, holds), values.max(axis=1)

    def where(self, sample: ForceSample) -> float:
        """The length along the beam of the largest stress at the one time of a sample."""
        cut = spatial_forces(self.beam, sample)
        stress = self.beam.section.mises(cut.n, cut.height, cut.width, cut.torque)
        return float(cut.s[0, int(np.argmax(stress[0]))])

    def closing_note(self, model: ModelDefinition, sample: ForceSample) -> str:
        """Note on the force and moment left at the end of the beam, where its mass is not that of an even line."""
        cut = spatial_forces(self.beam, sample)
        forces = max(float(np.nanmax(np.abs(x))) for x in (cut.n, cut.v))
        moments = max(float(np.nanmax(np.abs(x))) for x in (cut.torque, cut.height, cut.width))
        force, moment = float(np.nanmax(cut.gap_force)), float(np.nanmax(cut.gap_moment))
        if force <= CLOSED * forces and moment <= CLOSED * max(moments, 1e-9 * forces * self.beam.length):
            return ""
        left = f"{format_value(model.units, 'force', force)} and {format_value(model.units, 'torque', moment)}"
        return (
            f"section {self.owner}: its diagrams do not close by {left} at {self.beam.points[1]}: its mass, centre or "
            "inertia are not those of an even line"
        )


def spatial_pins(model: ModelDefinition, places: tuple[Place, ...]) -> list[SpatialPin]:
    """The pins with details, each where it carries its second body."""
    out = []
    for detail in model.pins.values():
        first = model.joints[detail.name].between[0].partition(".")[0]
        mine = [k for k, place in enumerate(places) if place.joint == detail.name and place.body != first]
        out += [SpatialPin(detail, places[k], k) for k in mine]
    return out


def spatial_links(model: ModelDefinition) -> list[SpatialLink]:
    """The links with sections, between the two points that `along` names or that joints connect."""
    out = []
    for detail in model.sections.values():
        body, material = model.bodies[detail.name], material_of(model, detail)
        assert material is not None  # the check of the model has made sure of it
        ends = {end for joint in model.joints.values() for end in joint.between}
        names = detail["along"] or tuple(name for name in body.points if f"{body.name}.{name}" in ends)
        if len(names) != 2:
            raise ModelError(
                f"section {body.name}: in space a beam leads from one point to another; found {', '.join(names)}",
                suggestion='Name both: along = ["A", "B"].',
                names=[body.name],
            )
        start, end = (np.array(body.points[name], float) for name in names)
        upright = _upright(detail, end - start)
        beam = SpatialBeam(
            body.name, (names[0], names[1]), start, end, upright, body.own.mass or 0.0, space_section_of(detail), detail
        )
        out.append(SpatialLink(beam, material))
    return out


def _upright(detail: Detail, line: Array) -> Array:
    """The direction of the height of a section, in body axes; of a round one any will do."""
    given = detail["upright"]
    if given is None and detail["shape"] in ("rectangle", "I"):
        raise ModelError(
            f'section {detail.name}: "upright" is missing: the direction of its height in body axes',
            names=[detail.name],
            suggestion="Write upright = [0, 0, 1], for example.",
        )
    found = np.eye(3)[int(np.argmin(np.abs(line)))] if given is None else np.array(given, float)
    if np.linalg.norm(np.cross(found, line)) <= 1e-9 * np.linalg.norm(found) * np.linalg.norm(line):
        raise ModelError(f"section {detail.name}: upright lies along the beam", names=[detail.name])
    return found


def spatial_pin_checks(model: ModelDefinition, pin: SpatialPin, peaks: Peaks) -> Iterator[StrengthCheck]:
    """Load and moment of a joint, shear and pressure of its pin; the whole force counts as radial."""
    detail, name, asked = pin.detail, pin.place.joint, pin.detail["safety"] or 1.0
    force, t = peaks["f"]
    yield StrengthCheck("pin", name, "largest load", force, "force", asked=asked, t=t)
    moment, when = peaks["m"]
    if moment > NOTHING * force * detail["width"]:
        yield StrengthCheck("pin", name, "largest moment", moment, "torque", asked=asked, t=when)
    material, planes = material_of(model, detail), PLANES[detail["shear"] or "single"]
    shear = force / (planes * np.pi * detail["diameter"] ** 2 / 4)
    pressure = force / (detail["diameter"] * detail["width"])
    limit = None if material is None else material["yield"] * SHEAR_YIELD
    for what, value, most, how in (
        ("shear of the pin", shear, limit, f"F/({planes} π d²/4), allowed yield/√3"),
        ("bearing pressure", pressure, detail["pressure"], "F/(d w)"),
    ):
        yield StrengthCheck("pin", name, what, value, "stress", most, against(most, value), asked, t, how=how)


def spatial_link_checks(model: ModelDefinition, link: SpatialLink, peaks: Peaks, at: float) -> Iterator[StrengthCheck]:
    """Stress and buckling of a beam; `at` is where its stress is largest."""
    detail, material = link.beam.detail, link.material
    asked, limit = detail["safety"] or 1.0, material["yield"]

    def check(
        what: str, word: str, holds: str, limit: float | None = None, where: str = "", how: str = ""
    ) -> StrengthCheck:
        value, t = peaks[word]
        return StrengthCheck(
            "section", link.owner, what, value, holds, limit, against(limit, value), asked, t, where, how
        )

    where = f"{format_value(model.units, 'length', at)} from {link.beam.points[0]}"
    how = "√(σ² + 3 τ²), σ = |N|/A + bending in two planes, against yield"
    yield check("largest stress", "stress", "stress", limit, where=where, how=how)
    yield check("bending stress", "bending", "stress")
    stress = peaks["stress"][0]
    if peaks["torsion"][0] > NOTHING * stress:
        yield check("torsional stress", "torsion", "stress", limit * SHEAR_YIELD, how="allowed yield/√3")
    plane = link.beam.section.plane
    least, pushed = plane.least_second_moment, peaks["compression"][0]
    if pushed > NOTHING * stress * plane.area and material["E"] is not None and least is not None:
        factor = detail["length_factor"] or 1.0
        member = CompressedMember(plane.area, least, material["E"], limit, factor)
        critical = float(member.critical_load(link.beam.length))
        yield check("buckling: compression", "compression", "force", critical, how=member.law(link.beam.length))
