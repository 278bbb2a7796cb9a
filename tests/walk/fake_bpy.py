"""A stand-in for Blender's `bpy` that remembers what a script builds: just enough to run film.py without Blender."""

from types import SimpleNamespace


class Anything:
    """Takes every attribute and every call; what was set can be read back."""

    def __init__(self, **given):
        self.__dict__.update(given)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.__dict__[name] = Anything()
        return self.__dict__[name]

    def __call__(self, *args, **given):
        self.__dict__.setdefault("calls", []).append((args, given))
        return None

    def __iter__(self):
        return iter(())


class Points:
    def __init__(self):
        self.co = [(0.0, 0.0)]
        self.held = [SimpleNamespace(interpolation="BEZIER")]

    def add(self, count):
        self.held += [SimpleNamespace(interpolation="BEZIER") for _ in range(count)]

    def foreach_set(self, name, flat):
        assert name == "co"
        assert len(flat) == 2 * len(self.held)
        self.co = list(zip(flat[::2], flat[1::2], strict=True))

    def __iter__(self):
        return iter(self.held)


class Curve:
    def __init__(self, path, index):
        self.data_path, self.array_index, self.keyframe_points = path, index, Points()

    def update(self):
        pass


class Thing:
    def __init__(self, name, data):
        self.name, self.data, self.parent, self.curves = name, data, None, []
        self.location, self.rotation_quaternion, self.scale = (0, 0, 0), (1, 0, 0, 0), (1, 1, 1)
        self.animation_data = SimpleNamespace(action=SimpleNamespace(fcurves=self.curves))

    def keyframe_insert(self, data_path, frame):
        self.curves += [Curve(data_path, k) for k in range(len(getattr(self, data_path)))]

    def at(self, path, frame):
        """The value of a track at a key frame."""
        own = sorted((c for c in self.curves if c.data_path == path), key=lambda c: c.array_index)
        return [dict(c.keyframe_points.co)[frame] for c in own] or list(getattr(self, path))


class Mesh:
    def __init__(self, name):
        self.name, self.materials = name, []

    def from_pydata(self, places, edges, faces):
        self.places, self.faces = places, faces
        self.polygons = type("Polygons", (list,), {"foreach_set": lambda *_: None})(faces)

    def update(self):
        pass


def module():
    """A fresh `bpy`; `made` holds every object by name."""
    made = {}

    def new_object(name, data):
        assert name not in made, f"two objects {name}"
        made[name] = Thing(name, data)
        return made[name]

    def new_scene(name):
        scene = Anything(name=name, frames=[])
        scene.frame_set = scene.frames.append
        return scene

    bpy = Anything(made=made)
    bpy.context = SimpleNamespace(window=None)
    bpy.app = SimpleNamespace(binary_path="")
    bpy.data.scenes.new = new_scene
    bpy.data.objects = SimpleNamespace(new=new_object, get=made.get)
    bpy.data.meshes.new = Mesh
    for kind in ("cameras", "lights", "worlds", "materials"):
        getattr(bpy.data, kind).new = lambda *args: Anything(name=args[0])
    return bpy
