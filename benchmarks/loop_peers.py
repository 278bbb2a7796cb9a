"""Cases of closed loops for MuJoCo and Exudyn, made from the same model at the same start.

MuJoCo gets a spanning tree whose coordinates are zero at the start, and closes what is left, balls where there are any,
by points that coincide, as stiffly as its step allows. Exudyn gets bodies and joints. Importing this file fails where
one of both is not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import exudyn
import exudyn.itemInterface as items
import mujoco
import numpy as np
from exudyn.utilities import RigidBodyInertia
from loop_cases import Case, center_of, inertia_of
from timing import Array

from mubo.mechanism.frames import frames_of
from mubo.model import GROUND, Joint
from mubo.model.coordinates import freedoms_of
from mubo.topology.tree import ends_of

Run = Callable[[], Array]  # answers where the compared body is at the end
KINDS = {"turn": "hinge", "slide": "slide", "ball": "ball"}
SOFT = '<default><equality solref="{} 1" solimp="0.9999 0.9999 0.001 0.5 2"/></default>'


def world_axes(case: Case, joint: Joint) -> tuple[list[tuple[str, Array]], Array]:
    """Kind and axis of every freedom of a joint, the first seen from its first body and the others from the second; and
    where it is. All in ground axes at the start."""
    first, second = frames_of(case.model, joint, 0.0)
    out = []
    for number, freedom in enumerate(freedoms_of(case.model, joint)):
        frame = second if number else first
        out.append((freedom.kind, case.poses[frame.body][1] @ frame.axes[:, "xyz".index(freedom.axis or "z")]))
    r, A = case.poses[second.body]
    return out, r + A @ second.at


def by_mujoco(case: Case, integrator: str, step: float) -> Run:
    gravity = [*case.model.gravity, 0.0][:3]
    text = f'<mujoco><compiler balanceinertia="false" boundmass="0" boundinertia="0"/><option timestep="{step}" '
    text += f'integrator="{integrator}" gravity="{words(gravity)}"/>{SOFT.format(2 * step)}<worldbody>'
    text += (
        "".join(sites(case, GROUND)) + "".join(tree_text(case, GROUND, walked_joints(case))) + "</worldbody><equality>"
    )
    text += "".join(cut_text(case)) + "</equality><tendon>" + "".join(spring_text(case)) + "</tendon></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    body, steps = model.body(case.body).id, round(case.end / step)

    def run() -> Array:
        mujoco.mj_resetData(model, data)
        for force in case.model.forces.values():
            if force.kind == "body_torque":
                data.xfrc_applied[model.body(force.on[0]).id, 5] = torque_of(force)
        mujoco.mj_step(model, data, steps)
        mujoco.mj_kinematics(model, data)
        return data.xpos[body].copy()

    return run


def torque_of(force) -> float:
    """That of a constant law."""
    return float(np.ravel(force.options["torque"](np.zeros(1)))[0])


def words(numbers) -> str:
    return " ".join(f"{float(x):.17g}" for x in numbers)


def sites(case: Case, body: str) -> Iterator[str]:
    for force in case.model.forces.values():
        for end, on in enumerate(force.on):
            owner, _, point = on.partition(".")
            if force.kind == "spring" and owner == body:
                at = [*case.model.bodies[body].points[point], 0.0][:3]
                yield f'<site name="{force.name}{end}" pos="{words(at)}"/>'


def spring_text(case: Case) -> Iterator[str]:
    for force in case.model.forces.values():
        if force.kind == "spring":
            stiffness, length = (words([force.options[key]]) for key in ("stiffness", "length"))
            yield f'<spatial stiffness="{stiffness}" springlength="{length}"><site site="{force.name}0"/>'
            yield f'<site site="{force.name}1"/></spatial>'


def walked_joints(case: Case) -> list[Joint]:
    """Joints of a spanning tree: hinges, and even more so balls, only where nothing else reaches a body."""
    root = {name: name for name in case.model.bodies}

    def top(name: str) -> str:
        return name if root[name] == name else top(root[name])

    def rank(joint: Joint) -> int:
        kinds = [freedom.kind for freedom in freedoms_of(case.model, joint)]
        return 2 if kinds == ["ball"] else int(kinds == ["turn"])

    out = []
    for joint in sorted(case.model.joints.values(), key=rank):
        first, second = map(top, ends_of(joint))
        if first != second:
            root[second] = first
            out.append(joint)
    return out


def tree_text(case: Case, parent: str, joints: list[Joint]) -> Iterator[str]:
    """The bodies that `joints` hang on a body, with all that hangs on them."""
    r0, A0 = case.poses[parent]
    for joint in (one for one in joints if parent in ends_of(one)):
        forward = ends_of(joint)[0] == parent
        child = ends_of(joint)[forward]
        r, A = case.poses[child]
        body = case.model.bodies[child].whole
        tensor = inertia_of(body)
        full = words([*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]])
        turned = np.zeros(4)
        mujoco.mju_mat2Quat(turned, (A0.T @ A).ravel())
        yield f'<body name="{child}" pos="{words(A0.T @ (r - r0))}" quat="{words(turned)}">'
        yield f'<inertial pos="{words(center_of(body))}" mass="{body.mass}" fullinertia="{full}"/>'
        freedoms, at = world_axes(case, joint)
        for kind, axis in freedoms if forward else freedoms[::-1]:
            where = f'type="{KINDS[kind]}" pos="{words(A.T @ (at - r))}"'
            yield f"<joint {where}/>" if kind == "ball" else f'<joint {where} axis="{words(A.T @ axis)}"/>'
        others = [one for one in joints if one is not joint]
        yield "".join(sites(case, child)) + "".join(tree_text(case, child, others)) + "</body>"


def cut_text(case: Case) -> Iterator[str]:
    walked = walked_joints(case)
    for joint in (one for one in case.model.joints.values() if one not in walked):
        freedoms, at = world_axes(case, joint)
        first, second = (name if name != GROUND else "world" for name in ends_of(joint))
        r, A = case.poses[ends_of(joint)[0]]
        points = [at] if case.model.dimension == 2 or freedoms[0][0] == "ball" else [at, at + freedoms[0][1]]
        for point in points:
            yield f'<connect body1="{first}" body2="{second}" anchor="{words(A.T @ (point - r))}"/>'


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
    settings.solution.file.write = settings.displayComputationTime = False
    settings.solution.sensors.writePeriod = case.end
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
    freedoms, at = world_axes(case, joint)
    first, second = ends_of(joint)
    ends = [rigid_marker(case, system, bodies, body, at) for body in (first, second)]
    if freedoms[0][0] == "turn":
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends))
        return
    along = freedoms[0][1]
    normal = np.array([-along[1], along[0], 0.0])
    axes = {"axisMarker0": case.poses[first][1].T @ along, "normalMarker1": case.poses[second][1].T @ normal}
    system.AddObject(items.ObjectJointPrismatic2D(markerNumbers=ends, **axes, constrainRotation=True))


def in_space(case: Case, system, bodies, joint: Joint) -> None:
    """A hinge with a redundant row leaves one row out."""
    freedoms, at = world_axes(case, joint)
    ends = [bodies[body] for body in ends_of(joint)]
    kinds = [kind for kind, _ in freedoms]
    if kinds == ["ball"]:
        system.CreateSphericalJoint(bodyNumbers=ends, position=at)
    elif kinds == ["slide"]:
        system.CreatePrismaticJoint(bodyNumbers=ends, position=at, axis=freedoms[0][1])
    elif kinds == ["turn", "turn"]:
        one, two = freedoms[0][1], freedoms[1][1]
        frame = np.column_stack([one, two, np.cross(one, two)])
        free = {"rotationMatrixAxes": frame, "constrainedAxes": [1, 1, 1, 0, 0, 1]}
        system.CreateGenericJoint(bodyNumbers=ends, position=at, **free)
    elif joint.name in {case.tree.closing.equations[k].name for k in case.tree.left_out}:
        turned = np.linalg.svd(freedoms[0][1][None])[2].T[:, [1, 2, 0]]
        free = {"rotationMatrixAxes": turned, "constrainedAxes": [1, 1, 1, 1, 0, 0]}
        system.CreateGenericJoint(bodyNumbers=ends, position=at, **free)
    else:
        system.CreateRevoluteJoint(bodyNumbers=ends, position=at, axis=freedoms[0][1])


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
