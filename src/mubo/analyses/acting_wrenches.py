"""Which forces and moments act on every body, by the names of their columns: the free bodies of a mechanism.

Of a joint the force acts at the joint point, on the one body as it is in the table and on the other reversed. The
moments of drivers and loads are about the centre of mass.
"""

from __future__ import annotations

from collections.abc import Iterator

from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import Driver, ModelDefinition, target_of
from mubo.results.record import Place
from mubo.solvers.forces.reactions import map_reactions

COUPLE_ROWS = {"parallel", "turn"}  # equations on a relative angle alone


@dataclass(frozen=True)
class ActingWrench:
    """A force, a moment or both that a joint, driver or load exerts on a body, by the owner of its columns."""

    body: str
    owner: str  # "A.on_crank", "motor", "gas"
    sign: int  # −1 on the body whose reaction is not in the table: F_B.on_crank = −F_B.on_rod
    at: str = ""  # the joint at whose point the force acts; "" where the moment is about the centre of mass
    force: bool = True
    moment: bool = True


def acting_wrenches(form: Absolute) -> tuple[ActingWrench, ...]:
    """The wrenches on all bodies: those of joints, then of drivers, then of loads."""
    model, reactions = form.model, map_reactions(form)
    shown = reactions.places[: reactions.shown]
    joints = [_of_joint(model, place, shown) for place in reactions.places if place.joint in model.joints]
    return (*joints, *_of_drivers(model, reactions.places), *_of_loads(form))


def _of_joint(model: ModelDefinition, place: Place, shown: list[Place]) -> ActingWrench:
    element = model.kinds[model.joints[place.joint].kind]
    free = "turn" if model.dimension == 2 else "ball"
    moment = not (place.wanders or any(dof.startswith(free) for dof in element.dofs))
    other = next((one for one in shown if one.joint == place.joint and one.others == (place.body,)), None)
    if place in shown or other is None or place.others != (other.body,):
        return ActingWrench(place.body, place.owner, 1, place.joint, True, moment)
    return ActingWrench(place.body, other.owner, -1, place.joint, True, moment)


def _of_drivers(model: ModelDefinition, places: list[Place]) -> Iterator[ActingWrench]:
    for driver in model.drivers.values():
        couple = _is_couple(model, driver)
        for place in places:
            if place.joint == driver.name and place.joint not in model.joints:
                yield ActingWrench(place.body, f"{driver.name}.on_{place.body}", 1, force=not couple)


def _is_couple(model: ModelDefinition, driver: Driver) -> bool:
    """Whether a driver exerts a moment alone: it drives an angle."""
    target = target_of(model, driver.of)
    return target.picked == "phi" or {row.kind for row in target.element.rows} <= COUPLE_ROWS


def _of_loads(form: Absolute) -> Iterator[ActingWrench]:
    for load in form.loads.loads:
        bodies = [body for body, _ in load.ends]
        if load.coordinate is not None:
            bodies = [reference.partition(".")[0] for reference in form.model.joints[load.coordinate[0]].between[:2]]
        for body in dict.fromkeys(bodies):
            yield ActingWrench(body, f"{load.name}.on_{body}", 1, force=load.holds != "torque")
