"""Cases of closed loops for MuJoCo, made from the same model at the same start.

It gets a spanning tree whose coordinates are zero at the start, and closes what is left, balls where there are any, by
points that coincide, as stiffly as its step allows. Importing this file fails where MuJoCo is not installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import mujoco
import numpy as np
from loop_cases import Case, Run, center_of, inertia_of, torque_of, world_axes
from timing import Array

from mubo.model import GROUND, Joint
from mubo.model.coordinates import joint_dofs
from mubo.topology.tree import ends_of

KINDS = {"turn": "hinge", "slide": "slide", "ball": "ball"}
SOFT = '<default><equality solref="{} 1" solimp="0.9999 0.9999 0.001 0.5 2"/></default>'


def closed_model(case: Case, integrator: str, step: float) -> tuple[mujoco.MjModel, list[Joint]]:
    """The model of a case, and the joints that its tree walks."""
    gravity, walked = [*case.model.gravity, 0.0][:3], walked_joints(case)
    at_body: dict[str, list[Joint]] = {name: [] for name in case.model.bodies}
    for joint in walked:
        for body in ends_of(joint):
            at_body[body].append(joint)
    text = f'<mujoco><compiler balanceinertia="false" boundmass="0" boundinertia="0"/><option timestep="{step}" '
    text += f'integrator="{integrator}" gravity="{words(gravity)}"/>{SOFT.format(2 * step)}<worldbody>'
    text += "".join(sites(case, GROUND)) + "".join(tree_text(case, GROUND, at_body)) + "</worldbody><equality>"
    text += "".join(cut_text(case, walked)) + "</equality><tendon>" + "".join(spring_text(case)) + "</tendon></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    return model, walked


def by_mujoco(case: Case, integrator: str, step: float) -> Run:
    model, walked = closed_model(case, integrator, step)
    data = mujoco.MjData(model)
    number, steps, rates = model.body(case.body).id, round(case.end / step), hinge_rates(case, model, walked)

    def run() -> Array:
        mujoco.mj_resetData(model, data)
        data.qvel[:] = rates
        for force in case.model.forces.values():
            if force.kind == "body_torque":
                data.xfrc_applied[model.body(force.on[0]).id, 5] = torque_of(force)
        mujoco.mj_step(model, data, steps)
        mujoco.mj_kinematics(model, data)
        return data.xpos[number].copy()

    return run


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
        while root[name] != name:
            root[name] = name = root[root[name]]
        return name

    def rank(joint: Joint) -> int:
        kinds = [dof.kind for dof in joint_dofs(case.model, joint)]
        return 2 if kinds == ["ball"] else int(kinds == ["turn"])

    out = []
    for joint in sorted(case.model.joints.values(), key=rank):
        first, second = map(top, ends_of(joint))
        if first != second:
            root[second] = first
            out.append(joint)
    return out


def tree_text(case: Case, parent: str, at_body: Mapping[str, list[Joint]], reached: str = "") -> Iterator[str]:
    """The bodies that joints other than `reached` hang on a body, with all that hangs on them."""
    r0, A0 = case.poses[parent]
    for joint in (one for one in at_body[parent] if one.name != reached):
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
        dofs, at = world_axes(case, joint)
        for kind, axis in dofs if forward else dofs[::-1]:
            name = f'name="{joint.name}" ' if len(dofs) == 1 else ""
            where = f'{name}type="{KINDS[kind]}" pos="{words(A.T @ (at - r))}"'
            yield f"<joint {where}/>" if kind == "ball" else f'<joint {where} axis="{words(A.T @ axis)}"/>'
        yield "".join(sites(case, child)) + "".join(tree_text(case, child, at_body, joint.name)) + "</body>"


def hinge_rates(case: Case, model: mujoco.MjModel, walked: list[Joint]) -> Array:
    """Rates at the start: of hinges; everything else rests."""
    out = np.zeros(model.nv)
    for joint in walked:
        dofs, _ = world_axes(case, joint)
        if [kind for kind, _ in dofs] == ["turn"]:
            child = model.body(model.jnt_bodyid[model.joint(joint.name).id]).name
            parent = next(body for body in ends_of(joint) if body != child)
            turning = case.motions[child][10:13] - case.motions[parent][10:13]
            out[model.joint(joint.name).dofadr[0]] = dofs[0][1] @ turning
    return out


def cut_text(case: Case, walked: list[Joint]) -> Iterator[str]:
    names = {joint.name for joint in walked}
    for joint in (one for name, one in case.model.joints.items() if name not in names):
        dofs, at = world_axes(case, joint)
        first, second = (name if name != GROUND else "world" for name in ends_of(joint))
        r, A = case.poses[ends_of(joint)[0]]
        points = [at] if case.model.dimension == 2 or dofs[0][0] == "ball" else [at, at + dofs[0][1]]
        for point in points:
            yield f'<connect body1="{first}" body2="{second}" anchor="{words(A.T @ (point - r))}"/>'
