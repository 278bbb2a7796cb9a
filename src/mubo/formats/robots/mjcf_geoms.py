"""Mass, centre and inertia of MJCF geoms, and of a body from its geoms.

Source: MuJoCo, XML reference: geom (sizes are half-lengths and radii), compiler; inertias of homogeneous solids from
any table, that of a capsule as a cylinder with two half spheres.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.robots.mjcf_settings import Compiler, turn_to
from mubo.formats.robots.poses import Pose
from mubo.formats.robots.robot import ORIGIN, Notes, Place, place_of, tensor_in
from mubo.formats.robots.shapes import shape_of
from mubo.formats.robots.xml import Node, Problems
from mubo.geometry import UNIT
from mubo.geometry.rotation import matrix
from mubo.geometry.shapes import Shape
from mubo.geometry.triangle_meshes import TriangleMesh, read_mesh

DENSITY = 1000.0
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
MASSLESS = ("plane", "hfield")
CYLINDERS = ("cylinder", "capsule")


@dataclass(frozen=True)
class GeomSolid:
    """A geom at its place on a body; without a mesh its mass and inertia are known."""

    kind: str
    size: Place = ()
    at: Place = ORIGIN
    turn: Place = UNIT
    mass: float = 0.0
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))  # about its centre, in body axes
    mesh: str = ""  # on which mass and inertia depend, where it is not there


MeshOf = Callable[[str], TriangleMesh | None]


def read_solid(
    node: Node, compiler: Compiler, problems: Problems, what: str, mesh_of: MeshOf = lambda name: None
) -> GeomSolid | None:
    """The solid of a geom with its defaults; None where it is not of the groups that count."""
    group = problems.number(node, "group", 0.0, what)
    if not compiler.groups[0] <= group <= compiler.groups[1]:
        return None
    kind, mesh = node.given.get("type", "sphere"), node.given.get("mesh", "")
    at, turn = problems.numbers(node, "pos", 3, ORIGIN, what), compiler.orientation(node, problems, what)
    mass = problems.number(node, "mass", math.nan, what)
    density = problems.number(node, "density", DENSITY, what)
    weightless = mass == 0 or (math.isnan(mass) and density == 0)
    if kind in MASSLESS or (weightless and kind not in SIZES):
        return GeomSolid(kind, (), at, turn)
    if kind in ("mesh", "sdf") or mesh:
        found = mesh_of(mesh) if kind == "mesh" else None
        if found is None:
            return GeomSolid(kind, (), at, turn, mass, mesh=mesh or kind)
        return _mesh_solid(found, mass, density, Pose(at, turn))
    if kind not in SIZES:
        allowed = ", ".join((*SIZES, *MASSLESS, "mesh"))
        problems.note(node, f'{what}: there is no geom "{kind}". Allowed: {allowed}.')
        return None
    if node.given.get("shellinertia") == "true":
        problems.note(node, f"{what}: the inertia of a shell (shellinertia) is not computed: write an <inertial>")
    size = _size(node, kind, problems, what)
    if "fromto" in node.given:
        at, turn, size = _from_to(node, size, problems, what)
    mass = 0.0 if weightless else density * volume(kind, size) if math.isnan(mass) else mass
    return GeomSolid(kind, size, at, turn, mass, tensor_in(turn, np.diag(principal(kind, size, mass))))


def _mesh_solid(mesh: TriangleMesh, mass: float, density: float, pose: Pose) -> GeomSolid:
    """The homogeneous solid that a mesh encloses, with its own axes, about its centre of mass."""
    volume, center, inertia = mesh.properties()
    mass = density * volume if math.isnan(mass) else mass
    low, high = mesh.box
    at = (pose @ Pose(place_of(center))).at
    return GeomSolid(
        "mesh", place_of((high - low) / 2), at, pose.turn, mass, tensor_in(pose.turn, inertia * mass / volume)
    )


def asset_mesh(
    asset: Node, name: str, folder: Path, compiler: Compiler, notes: Notes, problems: Problems
) -> TriangleMesh | None:
    """The mesh of an asset; None where its file is not beside the model, or damaged, which a note states."""
    inside = compiler.folders.get("meshdir", compiler.folders.get("assetdir", ""))
    path = folder / inside / asset.given.get("file", "").replace("\\", "/")
    if not path.is_file():
        return None
    what = f"mesh {name}"
    try:
        mesh = read_mesh(path).scaled(problems.numbers(asset, "scale", 3, (1.0, 1.0, 1.0), what))
    except ModelError as error:
        notes.left_out("mesh", name, str(error))
        return None
    turn = problems.numbers(asset, "refquat", 4, UNIT, what)
    place = Pose(problems.numbers(asset, "refpos", 3, ORIGIN, what), turn).inverse()
    return TriangleMesh(mesh.triangles @ matrix(place.turn).T + np.array(place.at))


def _size(node: Node, kind: str, problems: Problems, what: str) -> Place:
    """Its sizes; those that are not given are zero, as the half-length of a capsule between two points."""
    words = node.given.get("size", "0").split()
    values = problems.numbers(node, "size", len(words), (0.0,), what)
    return (*values, 0.0, 0.0, 0.0)[: SIZES[kind]]


def _from_to(node: Node, size: Place, problems: Problems, what: str) -> tuple[Place, Place, Place]:
    """Place, turn and sizes of a solid between two points: its z is along them, its last size half their distance; all
    across are the first."""
    ends = np.array(problems.numbers(node, "fromto", 6, (0.0,) * 6, what))
    along = ends[3:] - ends[:3]
    half = 0.5 * float(np.linalg.norm(along))
    return place_of(0.5 * (ends[:3] + ends[3:])), turn_to(along), (*[size[0]] * (len(size) - 1), half)


def volume(kind: str, size: Sequence[float]) -> float:
    """Volume of a solid by its radii and half-lengths."""
    r = size[0]
    if kind == "sphere":
        return 4 / 3 * math.pi * r**3
    if kind == "capsule":
        return math.pi * r**2 * (2 * size[1] + 4 / 3 * r)
    if kind == "cylinder":
        return 2 * math.pi * r**2 * size[1]
    return (4 / 3 * math.pi if kind == "ellipsoid" else 8.0) * size[0] * size[1] * size[2]


def principal(kind: str, size: Sequence[float], mass: float) -> tuple[float, float, float]:
    """Principal inertias about the centre, along the axes of the solid."""
    r = size[0]
    if kind == "sphere":
        return (0.4 * mass * r**2,) * 3
    if kind in ("box", "ellipsoid"):
        x, y, z = (s**2 for s in size)
        part = mass / (3 if kind == "box" else 5)
        return part * (y + z), part * (x + z), part * (x + y)
    length = 2 * size[1]
    ends = mass * 4 * r / (4 * r + 3 * length) if kind == "capsule" else 0.0  # of both half spheres
    rod = mass - ends
    across = rod * (3 * r**2 + length**2) / 12 + ends * (0.4 * r**2 + length * (3 * r + 2 * length) / 8)
    return across, across, rod * r**2 / 2 + 0.4 * ends * r**2


def together(solids: Sequence[GeomSolid]) -> tuple[float, Place, Array]:
    """Mass, centre and inertia of solids about their common centre (Huygens, Steiner)."""
    mass = sum(solid.mass for solid in solids)
    if not mass:
        return 0.0, ORIGIN, np.zeros((3, 3))
    center = np.sum([solid.mass * np.array(solid.at) for solid in solids], 0) / mass
    inertia = np.zeros((3, 3))
    for solid in solids:
        arm = np.array(solid.at) - center
        inertia += solid.inertia + solid.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return mass, place_of(center), inertia


def geom_shape(solid: GeomSolid, center: Place) -> Shape | None:
    """A geom as the shape of its body."""
    if not solid.size:
        return None
    size = solid.size
    if solid.kind in ("box", "mesh"):
        sizes = {side: 2 * half for side, half in zip("abc", size, strict=True)}
    elif solid.kind in CYLINDERS:
        sizes = {"length": 2 * size[1] + 2 * size[0] * (solid.kind == "capsule"), "radius": size[0]}
    else:
        sizes = {"radius": size[0]}
    kind = {"capsule": "cylinder", "ellipsoid": "sphere", "mesh": "box"}.get(solid.kind, solid.kind)
    return shape_of(kind, sizes, solid.at, solid.turn, center)
