"""Cases of closed loops for Exudyn, made from the same model at the same start: bodies and joints, generalised alpha.

Importing this file fails where Exudyn is not installed.
"""

from __future__ import annotations

import exudyn
import exudyn.itemInterface as items
import numpy as np
from exudyn.utilities import RigidBodyInertia
from loop_cases import Case, Run, center_of, inertia_of, torque_of, world_axes
from timing import Array

from mubo.model import GROUND, Joint
from mubo.topology.tree import ends_of


def by_exudyn(case: Case, step: float) -> Run:
    system = exudyn.SystemContainer().AddSystem()
    bodies = {GROUND: system.AddObject(items.ObjectGround())}
    gravity = [*case.model.gravity, 0.0][:3]
    for name in case.model.bodies:
        if name == GROUND:
            continue
        bodies[name] = (flat_body if case.model.dimension == 2 else solid_body)(case, system, name, gravity)
    for joint in case.model.joints.values():
        (in_plane if case.model.dimension == 2 else in_space)(case, system, bodies, joint)
    for force in case.model.forces.values():
        load(case, system, bodies, force)
    system.Assemble()
    begun = system.systemData.GetSystemState()
    settings = exudyn.SimulationSettings()
    solver = settings.timeIntegration
    solver.numberOfSteps, solver.endTime, solver.verboseMode = round(case.end / step), case.end, 0
    solver.generalizedAlpha.spectralRadius = 0.9
    settings.solution.file.write = settings.show.computationTime = False
    settings.solution.sensors.writePeriod = case.end
    if len(bodies) > 50:
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
    at = -local_center(case, case.body)

    def run() -> Array:
        system.systemData.SetSystemState(begun)
        assert system.SolveDynamic(settings), "Exudyn stopped early"
        kind = exudyn.OutputVariableType.Position
        return np.array(system.GetObjectOutputBody(bodies[case.body], kind, at))

    return run


def flat_body(case: Case, system, name: str, gravity: list[float]) -> int:
    body, (r, A) = case.model.bodies[name].whole, case.poses[name]
    v, w = case.motions[name][7:10], case.motions[name][10:13]
    arm = A @ center_of(body)
    at, speed = r + arm, v + np.cross(w, arm)
    node = items.NodeRigidBody2D(
        referenceCoordinates=[at[0], at[1], float(np.arctan2(A[1, 0], A[0, 0]))],
        initialVelocities=[speed[0], speed[1], w[2]],
    )
    flat = items.ObjectRigidBody2D(mass=body.mass, inertia=inertia_of(body)[2, 2], nodeNumber=system.AddNode(node))
    number = system.AddObject(flat)
    mass = system.AddMarker(items.MarkerBodyMass(bodyNumber=number))
    system.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=gravity))
    return number


def solid_body(case: Case, system, name: str, gravity: list[float]) -> int:
    body, (r, A) = case.model.bodies[name].whole, case.poses[name]
    inertia = RigidBodyInertia(body.mass, inertia_of(body), center_of(body), inertiaTensorAtCOM=True)
    return system.CreateRigidBody(referencePosition=r, referenceRotationMatrix=A, inertia=inertia, gravity=gravity)


def local_center(case: Case, body: str) -> Array:
    """Of a body's own frame, where Exudyn counts its places from: in the plane the centre of mass."""
    if case.model.dimension == 3 or body == GROUND:
        return np.zeros(3)
    return center_of(case.model.bodies[body].whole)


def rigid_marker(case: Case, system, bodies, body: str, at: Array) -> int:
    r, A = case.poses[body]
    local = A.T @ (at - r) - local_center(case, body)
    return system.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[body], localPosition=local))


def in_plane(case: Case, system, bodies, joint: Joint) -> None:
    dofs, at = world_axes(case, joint)
    first, second = ends_of(joint)
    ends = [rigid_marker(case, system, bodies, body, at) for body in (first, second)]
    if dofs[0][0] == "turn":
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends))
        return
    along = dofs[0][1]
    normal = np.array([-along[1], along[0], 0.0])
    axes = {"axisMarker0": case.poses[first][1].T @ along, "normalMarker1": case.poses[second][1].T @ normal}
    system.AddObject(items.ObjectJointPrismatic2D(markerNumbers=ends, **axes, constrainRotation=True))


def in_space(case: Case, system, bodies, joint: Joint) -> None:
    """A hinge with a redundant row leaves one row out."""
    dofs, at = world_axes(case, joint)
    ends = [bodies[body] for body in ends_of(joint)]
    kinds = [kind for kind, _ in dofs]
    if kinds == ["ball"]:
        system.CreateSphericalJoint(itemNumbers=ends, position=at)
    elif kinds == ["slide"]:
        system.CreatePrismaticJoint(itemNumbers=ends, position=at, axis=dofs[0][1])
    elif kinds == ["turn", "turn"]:
        one, two = dofs[0][1], dofs[1][1]
        frame = np.column_stack([one, two, np.cross(one, two)])
        free = {"rotationMatrixAxes": frame, "constrainedAxes": [1, 1, 1, 0, 0, 1]}
        system.CreateGenericJoint(itemNumbers=ends, position=at, **free)
    elif joint.name in {case.tree.closing.equations[k].name for k in case.tree.left_out}:
        turned = np.linalg.svd(dofs[0][1][None])[2].T[:, [1, 2, 0]]
        free = {"rotationMatrixAxes": turned, "constrainedAxes": [1, 1, 1, 1, 0, 0]}
        system.CreateGenericJoint(itemNumbers=ends, position=at, **free)
    else:
        system.CreateRevoluteJoint(itemNumbers=ends, position=at, axis=dofs[0][1])


def load(case: Case, system, bodies, force) -> None:
    if force.kind == "body_torque":
        at = rigid_marker(case, system, bodies, force.on[0], case.poses[force.on[0]][0])
        system.AddLoad(items.LoadTorqueVector(markerNumber=at, loadVector=[0, 0, torque_of(force)]))
        return
    ends = []
    for on in force.on:
        body, _, point = on.partition(".")
        r, A = case.poses[body]
        ends.append(rigid_marker(case, system, bodies, body, r + A @ [*case.model.bodies[body].points[point], 0.0][:3]))
    given = {"stiffness": force.options["stiffness"], "referenceLength": force.options["length"]}
    system.AddObject(items.ObjectConnectorSpringDamper(markerNumbers=ends, **given))
