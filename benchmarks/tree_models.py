"""Trees for the benchmarks, told to mubo, to the yardstick in C, and to Pinocchio, MuJoCo and Drake.

All frames are parallel where the coordinates are zero. A ball has a quaternion (w, x, y, z) and its angular velocity in
the axes of the outer body.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from timing import FOLDER, Array, compile_c

import mubo
from mubo._core import TreeSystem, tree_kinds

GRAVITY = (0.0, 0.0, -9.81)
AXES = {"x": 0, "y": 1, "z": 2}
KIND = {name: number for number, (name, _, _) in enumerate(tree_kinds())}
PEERS = {"Pinocchio": "pinocchio", "MuJoCo": "mujoco", "Drake": "pydrake"}


@dataclass(frozen=True)
class Body:
    parent: int  # -1: ground
    joint: str  # "x", "y", "z": turns about that axis; "ball"
    hinge: tuple[float, float, float]  # in the parent's frame
    mass: float
    center: tuple[float, float, float]  # in its own frame, which stands at the hinge
    inertia: tuple[float, float, float]  # about the centre, products are zero


def five_body_chain() -> list[Body]:
    """Two spherical and three revolute hinges: the coursework on Wittenburg's method (tests/data/README.md)."""
    down, half = (0.0, 0.0, -1.0), (0.0, 0.0, -0.5)
    return [
        Body(-1, "ball", (0.0, 0.0, 0.0), 3.0, down, (4.0, 4.0, 3.6)),
        Body(0, "ball", (0.0, 0.0, -2.0), 3.0, down, (4.0, 4.0, 2.4)),
        Body(1, "z", (0.0, 0.0, -2.0), 2.0, down, (1 / 3, 5 / 12, 1 / 12)),
        Body(2, "y", (0.5, 0.0, -1.0), 1.5, half, (0.5, 0.5, 0.3)),
        Body(2, "y", (-0.5, 0.0, -1.0), 1.5, half, (0.5, 0.5, 0.3)),
    ]


def chain(n: int) -> list[Body]:
    """Rods of 1 m and 1 kg, hinged about y and x in turn."""
    tensor = (1 / 12, 1 / 12, 1 / 200)
    return [
        Body(k - 1, "y" if k % 2 == 0 else "x", (0.0, 0.0, -1.0 if k else 0.0), 1.0, (0.0, 0.0, -0.5), tensor)
        for k in range(n)
    ]


def six_axis_arm() -> list[Body]:
    """An industrial arm: pan, lift, elbow and three axes of a wrist."""
    sizes = [("z", 0.16, 3.7), ("y", 0.42, 8.4), ("y", 0.39, 2.3), ("y", 0.11, 1.2), ("z", 0.09, 1.2), ("y", 0.08, 0.2)]
    out, hinge = [], (0.0, 0.0, 0.0)
    for k, (axis, length, mass) in enumerate(sizes):
        across, along = mass * (0.04**2 / 4 + length**2 / 12), mass * 0.04**2 / 2
        out.append(Body(k - 1, axis, hinge, mass, (0.0, 0.01 * k, length / 2), (across, across, along)))
        hinge = (0.0, 0.02, length)
    return out


def humanoid() -> list[Body]:
    """Thirty axes on a fixed pelvis: two legs of six, a waist of three, two arms of six, a neck of three.

    They are listed limb by limb: Pinocchio needs subtrees without gaps.
    """
    out: list[Body] = []

    def limb(parent: int, at: tuple[float, float, float], axes: str, length: float, mass: float) -> int:
        for k, axis in enumerate(axes):
            own = mass * 0.8**k
            tensor = (own * length**2 / 10, own * length**2 / 12, own * length**2 / 40)
            out.append(Body(parent, axis, at, own, (0.01, 0.0, length / 2), tensor))
            parent, at = len(out) - 1, (0.0, 0.0, length)
        return parent

    for side in (-0.1, 0.1):
        limb(-1, (0.0, side, 0.0), "zxyyyx", -0.2, 4.0)
    chest = limb(-1, (0.0, 0.0, 0.1), "zxy", 0.15, 8.0)
    for side in (-0.2, 0.2):
        limb(chest, (0.0, side, 0.3), "yxzyzx", -0.15, 2.0)
    limb(chest, (0.0, 0.0, 0.4), "zyx", 0.05, 1.0)
    return out


def model_of_bodies(bodies: Sequence[Body]) -> mubo.Model:
    """The bodies as a model of mubo; balls are left to `mubo_system`."""
    model = mubo.Model("tree", dimension=3, gravity=GRAVITY)
    hinges = {
        k: {f"H{child}": b.hinge for child, b in enumerate(bodies) if b.parent == k} for k in range(-1, len(bodies))
    }
    for name, at in hinges[-1].items():
        model.ground.point(name, at)
    for k, b in enumerate(bodies):
        points = {"O": (0.0, 0.0, 0.0), **hinges[k]}
        model.body(f"body{k}", points=points, mass=b.mass, center=b.center, inertia=b.inertia)
        on = f"body{b.parent}" if b.parent >= 0 else "ground"
        axis = tuple(float(x) for x in np.eye(3)[AXES[b.joint]])
        model.joint(f"joint{k}", "revolute", f"{on}.H{k}", f"body{k}.O", axis=axis)
    return model


def stacked(bodies: Sequence[Body]) -> list[Body]:
    """Balls as three turns z, x, z over bodies without mass."""
    out: list[Body] = []
    number: list[int] = []
    for body in bodies:
        parent = number[body.parent] if body.parent >= 0 else -1
        if body.joint == "ball":
            out.append(Body(parent, "z", body.hinge, 0.0, (0, 0, 0), (0, 0, 0)))
            out.append(Body(len(out) - 1, "x", (0, 0, 0), 0.0, (0, 0, 0), (0, 0, 0)))
            out.append(Body(len(out) - 1, "z", (0, 0, 0), body.mass, body.center, body.inertia))
        else:
            out.append(Body(parent, body.joint, body.hinge, body.mass, body.center, body.inertia))
        number.append(len(out) - 1)
    return out


def missing(peer: str) -> bool:
    """Whether the peer is not installed; said on the screen."""
    if importlib.util.find_spec(PEERS[peer]) is not None:
        return False
    print(f"{peer}: not installed")
    return True


def mubo_system(bodies: Sequence[Body]) -> TreeSystem:
    n = len(bodies)
    axis = [np.eye(3)[AXES.get(b.joint, 2)] for b in bodies]
    return TreeSystem(
        np.array([b.parent for b in bodies], np.int32),
        np.array([KIND["ball" if b.joint == "ball" else "turn"] for b in bodies], np.int32),
        np.array([(*b.hinge, 1, 0, 0, 0) for b in bodies], float),
        np.array(axis, float),
        np.zeros(n),
        np.array([(b.mass, *b.center, *b.inertia, 0, 0, 0) for b in bodies], float),
        np.full(n, -1, np.int32),
        np.array(GRAVITY),
        [],
        [],
    )


def plain_c(bodies: Sequence[Body], repeats: int) -> Callable[[Array, Array], Array]:
    """Accelerations by articulated.c, computed `repeats` times over."""
    library = compile_c(FOLDER / "articulated.c")
    center, mass = np.array([b.center for b in bodies], float), np.array([b.mass for b in bodies], float)
    about_origin = [
        np.diag(b.inertia) + b.mass * (np.dot(c, c) * np.eye(3) - np.outer(c, c))
        for b, c in zip(bodies, center, strict=True)
    ]
    given = (
        np.array([b.parent for b in bodies], np.int32),
        np.array([AXES.get(b.joint, 3) for b in bodies], np.int32),
        np.array([b.hinge for b in bodies], float),
        mass,
        center * mass[:, None],
        np.array(about_origin),
        np.array(GRAVITY),
    )

    def accelerations(q: Array, v: Array) -> Array:
        a = np.empty(len(v))
        library.articulated(len(bodies), *(x.ctypes.data_as(ctypes.c_void_p) for x in (*given, q, v, a)), repeats)
        return a

    return accelerations


def pinocchio_model(bodies: Sequence[Body]) -> Any:
    pin = importlib.import_module("pinocchio")
    model, number = pin.Model(), []
    for k, b in enumerate(bodies):
        joint = pin.JointModelSpherical() if b.joint == "ball" else getattr(pin, f"JointModelR{b.joint.upper()}")()
        parent = number[b.parent] if b.parent >= 0 else 0
        number.append(model.addJoint(parent, joint, pin.SE3(np.eye(3), np.array(b.hinge)), f"joint{k}"))
        inertia = pin.Inertia(b.mass, np.array(b.center), np.diag(b.inertia))
        model.appendBodyToJoint(number[-1], inertia, pin.SE3.Identity())
    return model


def pinocchio_positions(bodies: Sequence[Body], q: Array) -> Array:
    """Its quaternions are x, y, z, w."""
    out, at = q.copy(), 0
    for b in bodies:
        if b.joint == "ball":
            out[..., at : at + 4] = q[..., [at + 1, at + 2, at + 3, at]]
        at += 4 if b.joint == "ball" else 1
    return out


def mubo_positions(bodies: Sequence[Body], q: Array) -> Array:
    """Back from Pinocchio's."""
    out, at = q.copy(), 0
    for b in bodies:
        if b.joint == "ball":
            out[..., at : at + 4] = q[..., [at + 3, at, at + 1, at + 2]]
        at += 4 if b.joint == "ball" else 1
    return out


def mujoco_model(bodies: Sequence[Body], step: float) -> Any:
    """Contacts and constraints off, RK4."""
    mujoco = importlib.import_module("mujoco")
    spec = mujoco.MjSpec()
    spec.option.timestep = step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.gravity = GRAVITY
    off = mujoco.mjtDisableBit
    spec.option.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_CONSTRAINT)
    made: list[Any] = []
    for b in bodies:
        body = (made[b.parent] if b.parent >= 0 else spec.worldbody).add_body(pos=b.hinge)
        inertia = np.array(b.inertia)
        inertia[inertia.argmax()] *= 1 - 1e-15  # it refuses an exact lamina for the rounding of its inertia
        body.mass, body.ipos, body.inertia, body.explicitinertial = b.mass, b.center, inertia, True
        kind = mujoco.mjtJoint.mjJNT_BALL if b.joint == "ball" else mujoco.mjtJoint.mjJNT_HINGE
        body.add_joint(type=kind, axis=np.eye(3)[AXES.get(b.joint, 2)])
        made.append(body)
    return spec.compile()


def drake_plant(bodies: Sequence[Body]) -> Any:
    """Turns only: its trees have no ball with a quaternion, so give it `stacked` bodies."""
    tree = importlib.import_module("pydrake.multibody.tree")
    plant = importlib.import_module("pydrake.multibody.plant").MultibodyPlant(0.0)
    transform = importlib.import_module("pydrake.math").RigidTransform
    made: list[Any] = []
    for k, b in enumerate(bodies):
        inertia = tree.SpatialInertia.Zero()
        if b.mass:
            tensor = tree.RotationalInertia(*b.inertia)
            inertia = tree.SpatialInertia.MakeFromCentralInertia(b.mass, np.array(b.center), tensor)
        made.append(plant.AddRigidBody(f"body{k}", inertia))
        on = made[b.parent].body_frame() if b.parent >= 0 else plant.world_frame()
        on = plant.AddFrame(tree.FixedOffsetFrame(f"hinge{k}", on, transform(np.array(b.hinge))))
        plant.AddJoint(tree.RevoluteJoint(f"joint{k}", on, made[-1].body_frame(), np.eye(3)[AXES[b.joint]]))
    plant.Finalize()
    return plant
