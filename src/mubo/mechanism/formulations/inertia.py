"""What dynamics asks of bodies: gravity is stated, all have masses, and those that can rotate have inertia."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.errors import ModelError
from mubo.mechanism.mechanism import Mechanism
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import joint_dofs

DOWN = {2: "[0, -9.81], or [0, 0] for none", 3: "[0, 0, -9.81], or [0, 0, 0] for none"}
EARTH = {2: "0,-9.81", 3: "0,0,-9.81"}


def require_inertia(mechanism: Mechanism) -> None:
    """Refuse a mechanism without gravity, bodies without mass, and those without inertia that can rotate; where loops
    may prevent it, the position decides (`solvers.dynamics.turning`)."""
    model = mechanism.model
    massless = [body.name for body in model.bodies.values() if body.name != GROUND and body.whole.mass is None]
    if massless:
        cure = "has no mass; give mass (0 where it has none) and inertia, or a shape"
        raise ModelError(model.where + "\n".join(f"body {name}: {cure}" for name in massless), names=massless)
    if model.gravity is None:
        raise ModelError(
            f"{model.where}gravity is not stated",
            suggestion=f"Write gravity = {DOWN[model.dimension]}, or add --gravity {EARTH[model.dimension]} "
            "(in Python gravity=).",
        )
    if not mechanism.tree.cut:  # gears and drivers alone do not prevent a rotation
        refuse_turning(model, bodies_without_inertia(mechanism))


def bodies_without_inertia(mechanism: Mechanism) -> list[str]:
    """Bodies with mass and without inertia that the joints of the tree let rotate; its loops may prevent it."""
    model, turning = mechanism.model, set[str]()
    for hinge in mechanism.tree.hinges:  # from the ground outwards
        turns = any(dof.kind != "slide" for dof in joint_dofs(model, hinge.joint_in(model)))
        turning |= {hinge.child} if turns or hinge.parent in turning else set()
    bodies = (body.whole for body in model.bodies.values() if body.name in turning)
    return [body.name for body in bodies if body.inertia is None and (body.mass or 0.0) > 0]


def refuse_turning(model: ModelDefinition, bodies: Sequence[str]) -> None:
    """Refuse bodies that can rotate and have a mass without inertia."""
    if bodies:
        none = "0" if model.dimension == 2 else "[0, 0, 0]"
        cure = f"write inertia = {none} (a point mass), a value, or a shape"
        problems = [f"body {name} has mass and can rotate, but has no moment of inertia: {cure}" for name in bodies]
        raise ModelError(model.where + "\n".join(problems), names=bodies)
