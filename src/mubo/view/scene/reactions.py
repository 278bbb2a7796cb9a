"""What joints and drivers exert in a run: reactions at joint points, efforts along the coordinates of drivers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mubo.model import Driver, target_of
from mubo.model.coordinates import told_freedoms
from mubo.results import Run
from mubo.view.scene.actions import Load
from mubo.view.scene.data import End
from mubo.view.scene.loads import exerted
from mubo.view.scene.plan import Plan
from mubo.view.scene.sites import Acts, driven_pin, joint_site, site_between


def reactions(plan: Plan, run: Run) -> Iterator[Load]:
    """Forces and moments of joints on bodies, where the run has them. Of a joint in the frame only that on the body
    that moves: the frame feels the opposite."""
    places = () if run.record.forces is None else run.record.forces.places
    moving = {place.joint for place in places if place.body not in plan.standing}
    for place in places:
        if place.body in plan.standing and place.joint in moving:
            continue
        columns = [column for column in run.columns.of("reaction", place.owner) if column.quantity != "f"]
        for holds, name in (("force", place.owner), ("torque", f"{place.owner} moment")):
            own = [column for column in columns if column.holds == holds]
            if own:
                values = np.column_stack([run[column.name] for column in own])
                end, unique = End(place.carrier, place.point), all(column.unique for column in own)
                yield Load(f"reaction {name}", end, values, holds, place.body, True, unique)


def weights(plan: Plan, run: Run) -> Iterator[Load]:
    """The weights of bodies that move, at their centres of mass, in a run that tells forces."""
    model = plan.model
    if run.record.forces is None or model.gravity is None or not any(model.gravity):
        return
    for name, written in model.bodies.items():
        body = written.whole
        if name not in plan.standing and body.mass:
            end = End(name, tuple(body.center or (0.0,) * plan.dimension))
            yield Load(
                f"weight {name}",
                end,
                np.tile(body.mass * np.array(model.gravity, float), (plan.count, 1)),
                "force",
                name,
            )


def efforts(plan: Plan, run: Run) -> Iterator[Load]:
    """What drivers exert, on the body that they move."""
    for driver in plan.model.drivers.values():
        if f"{driver.name}.effort" in run.columns:
            yield from _effort(plan, driver, {"values": run[f"{driver.name}.effort"]})


def _effort(plan: Plan, driver: Driver, values: dict[str, Any]) -> list[Load]:
    model, label = plan.model, f"driver {driver.name} effort"
    target = target_of(model, driver.of)
    if target.joint:
        joint = model.joints[target.joint].arms[target.arm]
        freedoms = [entry for f in told_freedoms(model, joint) for entry in (f"{f.kind} {f.axis}",) * len(f.q)]
        more = {**values, "freedom": freedoms[target.number].strip(), "acts": Acts.COORDINATE}
        return exerted(joint_site(plan, joint, model.kinds[joint.kind], label, **more))
    if len(target.bodies) == 2:
        first, second = (End(*end) for end in zip(target.bodies, target.points, strict=True))
        return exerted(site_between(plan, label, driver.name, first, second, acts=Acts.LINE, **values))
    (body,) = target.bodies
    if target.holds == "angle":
        pin = driven_pin(plan, body)
        end = End(body, (0.0, 0.0)) if pin is None else End(*model.place(pin))
        return [Load(label, end, values["values"][:, None], "torque", body)]
    way = np.eye(plan.dimension)["xyz".index(target.picked)]
    end = End(body, target.points[0] if target.points else (0.0,) * plan.dimension)
    return [Load(label, end, values["values"][:, None] * way, "force", body)]
