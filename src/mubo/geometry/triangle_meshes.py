"""Triangle meshes of solids from files: STL (text and binary), OBJ, GLB; their volume, centre and inertia.

Source: Mirtich, Fast and Accurate Computation of Polyhedral Mass Properties (1996); here by tetrahedra from the origin,
which is the same sum. Formats: 3D Systems (STL), Wavefront (OBJ), Khronos glTF 2.0 (GLB).
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

ENDINGS = (".stl", ".obj", ".glb")
MOST = 200_000_000  # bytes of a file
GLB_JSON, GLB_BINARY, TRIANGLES = 0x4E4F534A, 0x004E4942, 4
COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Corners of triangles (n × 3 × 3), counter-clockwise seen from outside."""

    triangles: Array

    def scaled(self, scale: tuple[float, ...]) -> TriangleMesh:
        """Stretched along its axes; a reflection turns the triangles round."""
        out = self.triangles * np.array(scale)
        return TriangleMesh(out[:, ::-1] if np.prod(scale) < 0 else out)

    @property
    def box(self) -> tuple[Array, Array]:
        """Lowest and highest corner."""
        corners = self.triangles.reshape(-1, 3)
        return corners.min(axis=0), corners.max(axis=0)

    def properties(self) -> tuple[float, Array, Array]:
        """Volume, centre, and inertia about the centre for a density of one: ∫ over signed tetrahedra."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        parts = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
        volume = float(parts.sum())
        if not abs(volume) > 0:
            raise ModelError("the mesh encloses no volume")
        sums = a + b + c
        center = np.einsum("i,ij->j", parts, sums) / (4 * volume)
        second = sum(np.einsum("i,ij,ik->jk", parts, x, x) for x in (a, b, c, sums)) / 20
        second = second - volume * np.outer(center, center)
        inertia = np.trace(second) * np.eye(3) - second
        return (volume, center, inertia) if volume > 0 else (-volume, center, -inertia)


def read_mesh(path: Path) -> TriangleMesh:
    """The triangles of a file; a ModelError states what is wrong with it."""
    readers = {".stl": _stl, ".obj": _obj, ".glb": _glb}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ModelError(f'{path.name}: meshes end in {", ".join(ENDINGS)}; found "{path.suffix}"')
    try:
        if path.stat().st_size > MOST:
            raise ModelError(f"{path.name}: it has more than {MOST // 1_000_000} MB")
        triangles = np.asarray(reader(path.read_bytes()), float)
    except OSError as error:
        raise ModelError(f"{path.name}: it cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, IndexError, TypeError, struct.error) as error:
        raise ModelError(f"{path.name}: it is no {path.suffix[1:].upper()} file, or is damaged: {error}") from None
    if not len(triangles) or not np.all(np.isfinite(triangles)):
        raise ModelError(f"{path.name}: it has no triangles, or numbers that are not finite")
    return TriangleMesh(triangles)


def _stl(data: bytes) -> Array:
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        kind = np.dtype([("numbers", "<f4", 12), ("attribute", "<u2")])
        return np.frombuffer(data, kind, count, 84)["numbers"].reshape(-1, 4, 3)[:, 1:]
    if not data.lstrip().startswith(b"solid"):
        raise ValueError(f"{count} triangles would have {84 + 50 * count} bytes; found {len(data)}")
    lines = [line.split() for line in data.decode("ascii", "replace").splitlines()]
    return np.array([words[1:4] for words in lines if words[:1] == ["vertex"]], float).reshape(-1, 3, 3)


def _obj(data: bytes) -> Array:
    places, corners = [], []
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            places.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            numbers = [int(word.split("/")[0]) for word in words[1:]]
            face = [n - 1 if n > 0 else len(places) + n for n in numbers]
            corners += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
    return np.array(places, float)[np.array(corners, int)] if corners else np.zeros((0, 3, 3))


def _glb(data: bytes) -> Array:
    magic, _, length = struct.unpack_from("<4sII", data)
    if magic != b"glTF" or length > len(data):
        raise ValueError("the header is not that of binary glTF")
    chunks, at = {}, 12
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        chunks[kind] = data[at + 8 : at + 8 + size]
        at += 8 + size
    head, binary = json.loads(chunks[GLB_JSON]), chunks.get(GLB_BINARY, b"")
    nodes = head.get("nodes", [])
    roots = head["scenes"][head.get("scene", 0)]["nodes"] if head.get("scenes") else range(len(nodes))
    parts = [part for root in roots for part in _glb_node(head, binary, root, np.eye(4))]
    return np.concatenate(parts) if parts else np.zeros((0, 3, 3))


def _glb_node(head: dict[str, Any], binary: bytes, number: int, around: Array) -> list[Array]:
    """The triangles of a node and of those in it, in the axes of the scene."""
    node, out = head["nodes"][number], []
    pose = around @ _glb_pose(node)
    for part in head["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
        if part.get("mode", TRIANGLES) != TRIANGLES:
            continue
        places = _glb_array(head, binary, part["attributes"]["POSITION"], 3)
        order = _glb_array(head, binary, part["indices"], 1)[:, 0].astype(int) if "indices" in part else None
        corners = places if order is None else places[order]
        out.append((corners @ pose[:3, :3].T + pose[:3, 3]).reshape(-1, 3, 3))
    for child in node.get("children", ()):
        out += _glb_node(head, binary, child, pose)
    return out


def _glb_pose(node: dict[str, Any]) -> Array:
    from mubo.geometry.rotation import matrix

    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    pose = np.eye(4)
    pose[:3, :3] = matrix((w, x, y, z)) * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    pose[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return pose


def _glb_array(head: dict[str, Any], binary: bytes, number: int, wide: int) -> Array:
    accessor = head["accessors"][number]
    view = head["bufferViews"][accessor["bufferView"]]
    kind = np.dtype(COMPONENTS[accessor["componentType"]])
    first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", wide * kind.itemsize)
    rows = np.ndarray((accessor["count"], wide), kind, binary, first, (stride, kind.itemsize))
    return rows.astype(float)
