"""Closed loops that start at rest, for every engine: the model, how long it runs, and whose place is compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from timing import EXAMPLES, Array

import mubo
from mubo.analyses.simulate import consistent_start
from mubo.geometry.rotation import matrix
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.frames import frames_of
from mubo.model import Body, Force, Initial, Joint, ModelDefinition
from mubo.model.coordinates import joint_dofs
from mubo.model.mass import tensor_of

Run = Callable[[], Array]  # answers where the compared body is at the end


@dataclass(frozen=True)
class Case:
    """`body`: the one whose origin is compared at the end; `step`: that of engines with steps of one length."""

    name: str
    model: ModelDefinition
    end: float
    body: str
    step: float

    @cached_property
    def tree(self) -> Tree:
        return consistent_start(self.model, 0.0, self.end)[0]

    @cached_property
    def poses(self) -> dict[str, tuple[Array, Array]]:
        """Place and turn of every body at the start."""
        return {name: (motion[:3], matrix(motion[3:7])) for name, motion in self.motions.items()}

    @cached_property
    def motions(self) -> dict[str, Array]:
        """Place, quaternion, velocity and angular velocity of every body at the start."""
        q, v = self.tree.start()
        links = self.tree.system.forward(q[None], v[None], 0 * v[None])
        return {name: self.tree.body_motion(name, links)[0, :13] for name in self.model.bodies}

    def place(self, state: Array) -> Array:
        """Of the compared body in a state of the core."""
        q = state[None, : self.tree.links.positions]
        v = np.zeros((1, self.tree.links.velocities))
        return self.tree.body_motion(self.body, self.tree.system.forward(q, v, v))[0, :3]


def world_axes(case: Case, joint: Joint) -> tuple[list[tuple[str, Array]], Array]:
    """Kind and axis of every degree of freedom of a joint, the first seen from its first body and the others from the
    second; and where it is. All in ground axes at the start."""
    first, second = frames_of(case.model, joint, 0.0)
    out = []
    for number, dof in enumerate(joint_dofs(case.model, joint)):
        frame = second if number else first
        out.append((dof.kind, case.poses[frame.body][1] @ frame.axes[:, "xyz".index(dof.axis or "z")]))
    r, A = case.poses[second.body]
    return out, r + A @ second.at


def torque_of(force: Force) -> float:
    """That of a constant law."""
    return float(np.ravel(force.options["torque"](np.zeros(1)))[0])


def inertia_of(body: Body) -> Array:
    """About the centre of mass; in the plane only the moment about z is felt."""
    inertia = body.inertia or (0.0,)
    return inertia[0] * np.eye(3) if len(inertia) == 1 else tensor_of(inertia)


def center_of(body: Body) -> Array:
    return np.array([*body.center, 0.0, 0.0, 0.0])[:3]


def example(name: str) -> ModelDefinition:
    """An example of mubo, at rest."""
    model = mubo.load(EXAMPLES / f"{name}.toml").build()
    return model.changed(initial_joints={key: Initial(key, given.q, ()) for key, given in model.initial_joints.items()})


def slider_crank(stiffness: float = 0.0) -> ModelDefinition:
    """Crank 0.3 m, rod 1 m. With a stiffness the slider pulls a second one by a spring of 1 m, damped to 5 %."""
    model = mubo.Model("slider-crank", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.ground.point("line", (0, 0))
    turned = np.array([0.3 * np.cos(0.5), 0.3 * np.sin(0.5)])
    way = turned[0] + np.sqrt(1 - turned[1] ** 2)
    model.body("crank", (0, 0), 0.5, {"A": (0, 0), "B": (0.3, 0)}, mass=1.0, inertia=0.0075, center=(0.15, 0))
    points = {"B": (0, 0), "C": (1, 0)}
    lean = -float(np.arcsin(turned[1]))
    model.body("rod", tuple(turned), lean, points, mass=2.0, inertia=1 / 6, center=(0.5, 0))
    model.body("slider", (way, 0), 0.0, {"C": (0, 0)}, mass=1.0, inertia=0.01)
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "rod.C", "slider.C")
    model.translational("slide", "ground.line", "slider.C", axis=(1, 0), angle=0)
    if stiffness:
        model.body("trailer", (way + 1, 0), 0.0, {"T": (0, 0)}, mass=1.0, inertia=0.01)
        model.translational("track", "ground.line", "trailer.T", axis=(1, 0), angle=0)
        damping = 2 * 0.05 * np.sqrt(stiffness * 0.5)
        pull = {"stiffness": stiffness, "length": 1.0, "damping": float(damping)}
        model.force("spring", "spring", "slider.C", "trailer.T", **pull)
    return model.build()


def cases() -> list[Case]:
    return [
        Case("four-bar", example("released_four_bar"), 2.0, "coupler", 1e-3),
        Case("slider-crank", slider_crank(), 2.0, "slider", 1e-3),
        Case("Andrews' squeezer", example("andrews_squeezer"), 0.03, "K2", 1e-5),
        Case("Bricard", example("bricard"), 2.0, "rod3", 1e-3),
        Case("slider-crank in space", example("released_slider_crank"), 2.0, "slider", 1e-3),
    ]
