"""A small reader of .glb files that checks what the specification demands, and plays the animation."""

import json
import struct

import numpy as np

from mubo.geometry.rotation import matrix

TYPES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
KINDS = {5126: "<f4", 5123: "<u2", 5125: "<u4"}


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        assert size % 4 == 0
        self.json = json.loads(data[20 : 20 + size])
        count, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0"
        assert count % 4 == 0
        assert 28 + size + count == len(data)
        self.data = data[28 + size :]
        assert 0 <= count - self.json["buffers"][0]["byteLength"] < 4
        assert self.json["asset"]["version"] == "2.0"
        for view in self.json["bufferViews"]:
            assert view["byteOffset"] % 4 == 0
            assert view["byteOffset"] + view["byteLength"] <= self.json["buffers"][0]["byteLength"]
        self.check_meshes()
        self.check_tree()
        self.tracks = self.check_animation()

    def array(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = TYPES[accessor["type"]]
        flat = np.frombuffer(self.data, KINDS[accessor["componentType"]], accessor["count"] * width, view["byteOffset"])
        assert flat.nbytes == view["byteLength"]
        out = flat.reshape(-1, width)
        assert np.all(np.isfinite(out))
        if "min" in accessor:
            assert accessor["min"] == out.min(axis=0).tolist()
            assert accessor["max"] == out.max(axis=0).tolist()
        return out

    def check_meshes(self):
        for mesh in self.json["meshes"]:
            (primitive,) = mesh["primitives"]
            places, normals = (self.array(primitive["attributes"][name]) for name in ("POSITION", "NORMAL"))
            assert "min" in self.json["accessors"][primitive["attributes"]["POSITION"]]
            assert len(places) == len(normals)
            assert np.max(np.abs(np.linalg.norm(normals, axis=1) - 1)) < 1e-6
            indices = self.array(primitive["indices"])
            assert indices.max() < len(places)
            assert len(indices) % 3 == 0
            assert 0 <= primitive["material"] < len(self.json["materials"])
        for material in self.json["materials"]:
            assert all(0 <= c <= 1 for c in material["pbrMetallicRoughness"]["baseColorFactor"])

    def check_tree(self):
        """Every node has one parent, but for the root."""
        nodes = self.json["nodes"]
        children = [child for node in nodes for child in node.get("children", ())]
        assert sorted([*children, *self.json["scenes"][0]["nodes"]]) == list(range(len(nodes)))

    def check_animation(self):
        """Node and path of every track: times and values."""
        tracks = {}
        for animation in self.json.get("animations", ()):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                assert sampler["interpolation"] == "LINEAR"
                times, values = self.array(sampler["input"])[:, 0], self.array(sampler["output"])
                assert "min" in self.json["accessors"][sampler["input"]]
                assert len(times) == len(values)
                assert times[0] >= 0
                assert np.all(np.diff(times) > 0)
                target = channel["target"]
                if target["path"] == "rotation":
                    assert np.max(np.abs(np.linalg.norm(values, axis=1) - 1)) < 1e-6
                    # the shorter way round; an arrow that points the other way at once has gone half a turn
                    assert np.all(np.sum(values[1:] * values[:-1], axis=1) > -1e-6)
                assert (target["node"], target["path"]) not in tracks
                tracks[target["node"], target["path"]] = times, values
        return tracks

    def names(self):
        return [node["name"] for node in self.json["nodes"]]

    def world(self, name, time):
        """The 4×4 matrix of a node at a time of the film."""
        nodes = self.json["nodes"]
        number = self.names().index(name)
        above = next((k for k, node in enumerate(nodes) if number in node.get("children", ())), None)
        own = np.eye(4)
        x, y, z, w = self.value(number, "rotation", time, [0, 0, 0, 1])
        length = np.sqrt(w * w + x * x + y * y + z * z)
        own[:3, :3] = matrix(np.array([w, x, y, z]) / length) * self.value(number, "scale", time, [1, 1, 1])
        own[:3, 3] = self.value(number, "translation", time, [0, 0, 0])
        return own if above is None else self.world(nodes[above]["name"], time) @ own

    def value(self, number, path, time, rest):
        if (number, path) not in self.tracks:
            return np.array(self.json["nodes"][number].get(path, rest), float)
        times, values = self.tracks[number, path]
        return np.array([np.interp(time, times, column) for column in values.T])
