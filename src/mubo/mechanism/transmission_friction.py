"""Friction of threads and of meshing teeth, and whether it locks them.

A transmission resists its driving coordinate with a torque L: of a screw of lead l with axial force F it is F l/2π,
of a mesh the torque of its teeth. With the efficiency η in driving and η' in being driven back,

    driving          torque L/η needed:      friction (1/η − 1) |L|
    driven back      torque η' L delivered:  friction (1 − η') |L|;    η' ≤ 0: it locks itself

A thread of lead angle λ and friction angle φ' (tan φ' = μ/cos α, α the angle of its flank) has

    η = tan λ/tan(λ + φ'),    η' = tan(λ − φ')/tan λ

and so has a worm, α the pressure angle in its normal section: it locks itself where λ ≤ φ'.
Source: Budynas and Nisbett, Shigley's Mechanical Engineering Design (2015), 8-2 and 13-17.
"""

from __future__ import annotations

import math

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.rows import Values
from mubo.model import Force, Joint, ModelDefinition
from mubo.model.coordinates import coordinate_of
from mubo.note import Note

RATIO = ("ratio", "tooth")  # rows of couplings of two turns with signed numbers of teeth or radii


@dataclass(frozen=True)
class TransmissionFriction:
    """Friction of a thread or mesh on one coordinate: efficiencies where the coordinate drives and is driven.

    `mesh` is the coupling, "" of a screw; `end` the number of its wheel that the coordinate turns, `sign` −1 where the
    wheel is the first body of the coordinate.
    """

    joint: str
    mesh: str
    efficiency: float
    back_efficiency: float
    lead_angle: float | None = None
    friction_angle: float | None = None
    end: int = 0
    sign: float = 1.0

    @property
    def locks(self) -> bool:
        """Whether it cannot be driven back."""
        return self.back_efficiency <= 0

    @property
    def driving(self) -> float:
        """Friction over |L| where the coordinate drives."""
        return (1 / self.efficiency if self.efficiency > 0 else math.inf) - 1

    @property
    def driven(self) -> float:
        """Friction over |L| where the transmission drives the coordinate."""
        return 1 - self.back_efficiency

    @property
    def owner(self) -> str:
        """The joint whose force it follows."""
        return self.mesh or self.joint

    def gain(self, values: Values, lead: float) -> float:
        """L over the axial force of a screw, or over the multiplier of the mesh's row."""
        if not self.mesh:
            return lead / (2 * math.pi)
        if "factors" in values:
            return self.sign * float(values["factors"][self.end])
        size = float(values["mesh"][-1])
        return self.sign * size * float(values["first" if self.end == 0 else "second"][-1])


def transmission_of(model: ModelDefinition, force: Force) -> TransmissionFriction:
    """The thread or mesh whose friction a force is."""
    joint, _ = coordinate_of(model, force.on[0])
    where = f"{model.where}force {force.name}"
    mesh = force.options.get("mesh")
    lead = joint.options.get("lead")
    if mesh is None and lead is None:
        raise ModelError(
            f'{where}: an efficiency is that of a screw or of a "mesh", and joint {joint.name} is no screw',
            names=[force.name],
        )
    coupling = _coupling(model, where, force, joint, mesh) if mesh is not None else None
    angles = _angles(model, where, force, coupling)
    one, other = _efficiencies(force, angles)
    end, sign = 0, 1.0
    if coupling is not None:
        bodies = [end.partition(".")[0] for end in joint.between]
        wheels = [end.partition(".")[0] for end in coupling.between]
        end = next(k for k, wheel in enumerate(wheels) if wheel in bodies)
        sign = 1.0 if bodies[1] == wheels[end] else -1.0
        if end == 1:
            one, other = other, one
    if not one > 0:
        raise ModelError(
            f"{where}: coordinate {force.on[0]} cannot drive mesh {mesh}, which locks itself",
            names=[force.name],
            suggestion="Let the friction act on the bearing of the worm.",
        )
    name = "" if coupling is None else coupling.name
    lead_angle, friction_angle = angles or (None, None)
    return TransmissionFriction(joint.name, name, one, other, lead_angle, friction_angle, end, sign)


def _coupling(model: ModelDefinition, where: str, force: Force, joint: Joint, mesh: str) -> Joint:
    """The coupling that a force names: of two wheels, one of them on the shaft of its coordinate."""
    coupling = model.joints.get(mesh)
    rows = {row.kind for row in model.kinds[coupling.kind].rows} if coupling else set()
    if coupling is None or not rows & set(RATIO):
        raise ModelError(f'{where}: "{mesh}" is no pair of gears, belt, bevel gears or worm gear', names=[force.name])
    bodies = {end.partition(".")[0] for end in joint.between}
    if len(bodies & {end.partition(".")[0] for end in coupling.between}) != 1:
        raise ModelError(f"{where}: joint {joint.name} is not the bearing of a wheel of {mesh}", names=[force.name])
    return coupling


def _angles(model: ModelDefinition, where: str, force: Force, coupling: Joint | None) -> tuple[float, float] | None:
    """Lead angle and friction angle of a thread by its coefficient of friction."""
    mu = force.options.get("coulomb")
    if mu is None:
        return None
    if coupling is None:
        joint, _ = coordinate_of(model, force.on[0])
        lead_angle = math.atan(abs(float(joint.options["lead"])) / (2 * math.pi * float(force.options["radius"])))
        return lead_angle, math.atan(float(mu) / math.cos(float(force.options.get("flank_angle") or 0.0)))
    if model.kinds[coupling.kind].on_shafts != "cross":
        raise ModelError(
            f"{where}: the teeth of {coupling.name} roll on each other: their loss is no coefficient of friction",
            names=[force.name],
            suggestion='Give its "efficiency".',
        )
    from mubo.mechanism.toothed_wheels import tooth_contact

    angle = coupling.options.get("pressure_angle", math.radians(20))
    return tooth_contact(model, coupling).lead_angle, math.atan(float(mu) / math.cos(float(angle)))


def _efficiencies(force: Force, angles: tuple[float, float] | None) -> tuple[float, float]:
    if angles is None:
        one = float(force.options["efficiency"])
        back = force.options.get("back_efficiency")
        return one, one if back is None else float(back)
    lead, friction = angles
    return math.tan(lead) / math.tan(lead + friction), math.tan(lead - friction) / math.tan(lead)


def transmission_note(model: ModelDefinition, force: Force) -> Note:
    """A note on the efficiency of a thread or mesh, or that it locks itself."""
    found = transmission_of(model, force)
    forth, back = (found.efficiency, found.back_efficiency)[:: -1 if found.end else 1]
    angles = None
    if found.lead_angle is not None and found.friction_angle is not None:
        angles = (math.degrees(found.lead_angle), math.degrees(found.friction_angle))
    values = {"force": force.name, "joint": found.owner, "efficiency": forth, "angles": angles}
    if back <= 0:
        return Note("mechanism.self_locking", **values)
    return Note("mechanism.efficiency", **values, back=back)
