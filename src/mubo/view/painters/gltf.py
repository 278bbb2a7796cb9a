"""A film as a glTF document: a root that turns upwards and into metres, a node per body, its joints below it."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.files import replacing
from mubo.view.painters.actors import Actor, SolidFilm, upright
from mubo.view.scene.colours import linear_rgb
from mubo.view.scene.solids import SolidPart

FLOAT, SHORT, INT = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963  # what a view of a mesh is used for
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}
MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942


class Buffer:
    """Grows as arrays are added; each has a view of its own that starts at a multiple of four bytes."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def floats(self, values: Array, bounds: bool = False, target: int | None = None) -> int:
        """Adds n numbers or n vectors in single precision; answers the number of the accessor."""
        packed = np.ascontiguousarray(values, "<f4")
        columns = packed.reshape(len(packed), -1)
        more = {"min": columns.min(axis=0).tolist(), "max": columns.max(axis=0).tolist()} if bounds else {}
        return self._add(packed.tobytes(), FLOAT, len(packed), TYPES[columns.shape[1]], target, more)

    def indices(self, triangles: Any) -> int:
        """Adds the corners of triangles, in two bytes each where they fit."""
        flat = np.asarray(triangles).ravel()
        small = int(flat.max()) < 65535  # the largest two-byte number is reserved
        packed = flat.astype("<u2" if small else "<u4")
        return self._add(packed.tobytes(), SHORT if small else INT, len(packed), "SCALAR", INDICES, {})

    def _add(self, data: bytes, kind: int, count: int, form: str, target: int | None, more: dict[str, Any]) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.views.append(view if target is None else {**view, "target": target})
        self.data += data
        accessor = {"bufferView": len(self.views) - 1, "componentType": kind, "count": count, "type": form}
        self.accessors.append({**accessor, **more})
        return len(self.accessors) - 1


def container(document: dict[str, Any], data: bytes) -> bytes:
    """Header, JSON chunk (filled with blanks) and binary chunk (filled with zeros), both in multiples of four bytes."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4)), (BINARY_CHUNK, data + b"\0" * (-len(data) % 4))]
    body = b"".join(struct.pack("<II", len(chunk), kind) + chunk for kind, chunk in chunks)
    return struct.pack("<III", MAGIC, VERSION, 12 + len(body)) + body


def write_glb(film: SolidFilm, path: Path) -> None:
    """Writes the film; with one time only, the mechanism as it stands."""
    document, data = document_of(film)
    with replacing(path) as temporary:
        temporary.write_bytes(container(document, data))


def document_of(film: SolidFilm) -> tuple[dict[str, Any], bytes]:
    """The JSON of the file and its binary data."""
    writer = _Writer(film)
    return writer.document(), bytes(writer.buffer.data)


class _Writer:
    """Collects nodes, meshes, materials and animation channels."""

    def __init__(self, film: SolidFilm) -> None:
        self.film = film
        self.buffer = Buffer()
        self.nodes: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.materials: dict[str, int] = {}
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []

    def document(self) -> dict[str, Any]:
        film = self.film
        root: dict[str, Any] = {"name": film.name, "rotation": _xyzw(upright(film.up))}
        root |= {"scale": [film.metre] * 3, "extras": {"start": film.start, "up": film.up}}
        self.nodes.append(root)
        times = self._times()
        root["children"] = [self._actor(actor, times) for actor in film.actors]
        out: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "mubo"},
            "scene": 0,
            "scenes": [{"name": film.name, "nodes": [0]}],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": [_material(colour) for colour in self.materials],
        }
        if self.channels:
            out["animations"] = [{"name": film.name, "samplers": self.samplers, "channels": self.channels}]
        out |= {"accessors": self.buffer.accessors, "bufferViews": self.buffer.views}
        return {**out, "buffers": [{"byteLength": len(self.buffer.data)}]}

    def _times(self) -> int | None:
        """The accessor of the times; None if nothing moves."""
        film = self.film
        if len(film.seconds) < 2 or all(actor.stands for actor in film.actors):
            return None
        seconds = film.seconds.astype(np.float32)
        if np.any(np.diff(seconds) <= 0):
            raise ResultError(
                f"the {len(seconds)} times up to {film.seconds[-1]:g} s lie closer together than glTF can hold",
                suggestion="Take a longer step.",
            )
        return self.buffer.floats(film.seconds, bounds=True)

    def _actor(self, actor: Actor, times: int | None) -> int:
        node: dict[str, Any] = {"name": actor.name}
        number = len(self.nodes)
        self.nodes.append(node)
        tracks: dict[str, Array] = {"translation": actor.place, "rotation": actor.turn[:, [1, 2, 3, 0]]}
        if actor.scale is not None:
            tracks["scale"] = actor.scale
        for path, values in tracks.items():
            node[path] = values[0].tolist()
            if times is not None and not np.all(values == values[0]):
                sampler = {"input": times, "output": self.buffer.floats(values), "interpolation": "LINEAR"}
                self.samplers.append(sampler)
                target = {"node": number, "path": path}
                self.channels.append({"sampler": len(self.samplers) - 1, "target": target})
        children = []
        for part in actor.parts:
            if part.name == actor.name:
                node["mesh"] = self._mesh(part)
            else:
                self.nodes.append({"name": part.name, "mesh": self._mesh(part)})
                children.append(len(self.nodes) - 1)
        if children:
            node["children"] = children
        return number

    def _mesh(self, part: SolidPart) -> int:
        mesh = part.mesh
        attributes = {
            "POSITION": self.buffer.floats(mesh.places, bounds=True, target=VERTICES),
            "NORMAL": self.buffer.floats(mesh.normals, target=VERTICES),
        }
        primitive: dict[str, Any] = {"attributes": attributes, "indices": self.buffer.indices(mesh.triangles)}
        primitive["material"] = self.materials.setdefault(part.colour, len(self.materials))
        self.meshes.append({"name": part.name, "primitives": [primitive]})
        return len(self.meshes) - 1


def _xyzw(p: Array) -> list[float]:
    """glTF has the scalar of a quaternion last."""
    return [float(p[k]) for k in (1, 2, 3, 0)]


def _material(colour: str) -> dict[str, Any]:
    base = [*linear_rgb(colour), 1.0]
    return {
        "name": colour,
        "pbrMetallicRoughness": {"baseColorFactor": base, "metallicFactor": 0.1, "roughnessFactor": 0.55},
    }
