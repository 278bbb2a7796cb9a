"""Links of a URDF file as bodies: mass, centre, inertia tensor in link axes, and a simple shape at the centre."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.urdf.xml import Node, Problems
from mubo.geometry.rotation import matrix, of_euler
from mubo.geometry.shapes import Shape
from mubo.model.mass import require_possible, tensor_of
from mubo.model.parts import Body

ALIGNED = 1e-6  # how far a shape's axes and place may be from the body's, in radians and of its size
ZERO = (0.0, 0.0, 0.0)


def turned(rpy: Sequence[float]) -> Array:
    """The rotation matrix of roll, pitch and yaw about fixed x, y, z: A = Rz(yaw) Ry(pitch) Rx(roll)."""
    return matrix(of_euler("zyx", rpy[::-1]))


def read_link(node: Node, name: str, problems: Problems, notes: list[str]) -> Body:
    """The body of a link. A link without <inertial> has, by the definition of URDF, no mass."""
    what = f"link {node.given.get('name', name)}"
    inertial = node.first("inertial")
    mass = 0.0
    center: tuple[float, ...] = ZERO
    inertia: tuple[float, ...] = (0.0,) * 6
    if inertial is not None:
        origin = inertial.first("origin")
        center = problems.numbers(origin, "xyz", 3, ZERO, what)
        mass = problems.number(inertial.first("mass"), "value", 0.0, what)
        if mass < 0:
            problems.note(inertial, f"{what}: the mass cannot be negative; found {mass:g}")
        inertia = _tensor(inertial, problems, turned(problems.numbers(origin, "rpy", 3, ZERO, what)), what)
    shape = _shape(node, problems, np.array(center), what, notes)
    return Body(name, (), 0.0, {}, (), mass, inertia, center if any(center) else (), shape)


def _tensor(inertial: Node, problems: Problems, turn: Array, what: str) -> tuple[float, ...]:
    """xx, yy, zz, xy, xz, yz in link axes; URDF's products are elements of the tensor, as mubo's are."""
    given = inertial.first("inertia")
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    own = tensor_of([problems.number(given, key, 0.0, what) for key in keys])
    tensor = own if np.array_equal(turn, np.eye(3)) else turn @ own @ turn.T
    try:
        require_possible(tensor)
    except ModelError as error:
        problems.note(given or inertial, f"{what}: {error}")
    return tuple(float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _shape(link: Node, problems: Problems, center: Array, what: str, notes: list[str]) -> Shape | None:
    """The first primitive of <visual>, else of <collision>, that sits at the centre of mass along the body's axes."""
    left: list[str] = []
    for node in (*link.all("visual"), *link.all("collision")):
        geometry = node.first("geometry")
        solid = geometry.children[0] if geometry is not None and geometry.children else None
        if solid is None:
            problems.note(node, f"{what}: its <{node.tag}> has no geometry")
            continue
        origin = node.first("origin")
        at = np.array(problems.numbers(origin, "xyz", 3, ZERO, what))
        turn = turned(problems.numbers(origin, "rpy", 3, ZERO, what))
        if solid.tag == "mesh":
            left.append(f"mesh {solid.given.get('filename', '')}".strip())
            continue
        shape = _solid(solid, problems, turn, what)
        if shape is not None and np.max(np.abs(at - center)) <= ALIGNED * max(shape.sizes.values()):
            return shape
        if shape is not None or solid.tag in ("box", "cylinder", "sphere"):
            left.append(f"{solid.tag} of its <{node.tag}>, which is not at the centre of mass along the link's axes")
    notes += [f"{what}: left out: {item}" for item in dict.fromkeys(left)]
    return None


def _solid(solid: Node, problems: Problems, turn: Array, what: str) -> Shape | None:
    """A box, cylinder or sphere turned by quarter turns only; None if it stands askew, or is another kind."""
    if solid.tag == "sphere":
        return Shape("sphere", {"radius": _size(solid, "radius", problems, what)})
    if solid.tag == "cylinder":
        sizes = {key: _size(solid, key, problems, what) for key in ("length", "radius")}
        k = int(np.argmax(np.abs(turn[:, 2])))
        return Shape("cylinder", sizes, "xyz"[k]) if abs(turn[k, 2]) > 1 - ALIGNED**2 else None
    if solid.tag == "box":
        sides = np.array(problems.numbers(solid, "size", 3, (1.0, 1.0, 1.0), what))
        if not np.all(sides > 0):
            problems.note(solid, f"{what}: the sides of a box must be positive")
        quarter = np.round(np.abs(turn))
        if np.max(np.abs(np.abs(turn) - quarter)) > ALIGNED:
            return None
        return Shape("box", dict(zip("abc", map(float, quarter @ sides), strict=True)))
    problems.note(solid, f'{what}: there is no geometry "{solid.tag}". Allowed: box, cylinder, mesh, sphere.')
    return None


def _size(solid: Node, key: str, problems: Problems, what: str) -> float:
    value = problems.number(solid, key, 0.0, what)
    if not value > 0:
        problems.note(solid, f"{what}: {key} of its {solid.tag} must be given and positive")
    return value
