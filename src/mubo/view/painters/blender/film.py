"""Film of a mechanism for Blender, written by `mubo export`. It needs nothing but Blender (3.4 to 5.0, or `bpy`).

    blender --background --python film.py -- --render frame.png --frame 30
    blender --background --python film.py -- --film film.mp4
    blender --python film.py                    opens the scene to look at

Every body is an object of its own name whose axes move as in the table of the result; frame 0 is the first row.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from typing import Any

import bpy

FILM: dict[str, Any] = {}

LENS, SENSOR = 50.0, 36.0  # millimetres
MARGIN = 1.08
# Camera: tilt from straight down, turn about the vertical, in degrees. Planar mechanisms are seen from the front.
VIEWS = {"space": (74.0, 32.0), "plane": (80.0, 14.0)}
ENGINES = ("cycles", "eevee", "workbench")


def main(words: list[str]) -> None:
    """Builds the scene, then does what was asked for."""
    asked = _options(words)
    width, height = (int(number) for number in asked.size.split("x"))
    scene = build(width, height)
    if asked.frame is not None:
        scene.frame_set(asked.frame)
    _engine(scene, asked.engine, asked.samples)
    if asked.save:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(asked.save))
    if asked.render:
        scene.render.filepath = os.path.abspath(asked.render)
        bpy.ops.render.render(write_still=True, scene=scene.name)
    if asked.film:
        _film_format(scene, asked.film)
        bpy.ops.render.render(animation=True, scene=scene.name)


def build(width: int, height: int) -> Any:
    """A new scene with bodies, joints, key frames, camera, light and floor."""
    scene = bpy.data.scenes.new(FILM["name"])
    if bpy.context.window is not None:
        bpy.context.window.scene = scene
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.render.fps, scene.render.fps_base = FILM["fps"]
    scene.frame_start, scene.frame_end = 0, FILM["frames"]
    scene.unit_settings.scale_length = FILM["metre"]
    root = _add(scene, FILM["name"], None, None)
    root.rotation_mode, root.rotation_quaternion = "QUATERNION", FILM["upright"]
    materials: dict[str, Any] = {}
    for actor in FILM["actors"]:
        _actor(scene, root, actor, materials)
    _camera(scene, width / height)
    _light(scene)
    _floor(scene)
    scene.frame_set(0)
    return scene


def _actor(scene: Any, root: Any, actor: dict[str, Any], materials: dict[str, Any]) -> None:
    parts = {part["name"]: part for part in actor["parts"]}
    own = parts.pop(actor["name"], None)
    thing = _add(scene, actor["name"], root, own and _mesh(own, materials))
    thing.rotation_mode = "QUATERNION"
    keys = actor["keys"]
    tracks = {"location": (1, 3), "rotation_quaternion": (4, 4)}
    if len(keys[0]) > 8:
        tracks["scale"] = (8, 3)
    for path, (first, count) in tracks.items():
        setattr(thing, path, keys[0][first : first + count])
        if len(keys) > 1:
            _key(thing, path, [(key[0], key[first : first + count]) for key in keys])
    for name, part in parts.items():
        _add(scene, name, thing, _mesh(part, materials))


def _add(scene: Any, name: str, parent: Any, mesh: Any) -> Any:
    thing = bpy.data.objects.new(name, mesh)
    thing.parent = parent
    scene.collection.objects.link(thing)
    return thing


def _key(thing: Any, path: str, keys: list[Any]) -> None:
    """Key frames joined by straight lines, all at once: one by one takes minutes for long films."""
    thing.keyframe_insert(data_path=path, frame=keys[0][0])
    for curve in _curves(thing.animation_data.action):
        if curve.data_path == path:
            points = curve.keyframe_points
            points.add(len(keys) - 1)
            points.foreach_set("co", [x for frame, values in keys for x in (frame, values[curve.array_index])])
            for point in points:
                point.interpolation = "LINEAR"
            curve.update()


def _curves(action: Any) -> list[Any]:
    """The curves of an action, which Blender 5 keeps in layers."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]


def _mesh(part: dict[str, Any], materials: dict[str, Any]) -> Any:
    mesh = bpy.data.meshes.new(part["name"])
    mesh.from_pydata(part["places"], [], part["triangles"])
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))  # sharp edges have vertices of their own
    colour = part["colour"]
    if colour not in materials:
        materials[colour] = _material(colour, FILM["colours"][colour], 0.45)
    mesh.materials.append(materials[colour])
    mesh.update()
    return mesh


def _material(name: str, rgb: list[float], rough: float) -> Any:
    material = bpy.data.materials.new(name)
    material.diffuse_color = (*rgb, 1.0)
    material.use_nodes = True
    for node in material.node_tree.nodes:
        if node.type == "BSDF_PRINCIPLED":
            node.inputs["Base Color"].default_value = (*rgb, 1.0)
            node.inputs["Roughness"].default_value = rough
    return material


def _camera(scene: Any, aspect: float) -> None:
    """Looks in a set direction, from where everything that ever moves just fits into the picture.

    With depth z along the view and a across it, a place is in view if |a − a_c| ≤ T (z − z_c), T the tangent of half
    the angle of view: two planes a ∓ T z through the outermost places give a_c and z_c.
    """
    tilt, turn = (math.radians(angle) for angle in VIEWS[FILM["view"]])
    forward = (-math.sin(turn) * math.sin(tilt), math.cos(turn) * math.sin(tilt), -math.cos(tilt))
    right = (math.cos(turn), math.sin(turn), 0.0)
    above = (
        right[1] * forward[2] - right[2] * forward[1],
        right[2] * forward[0] - right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    )
    half = SENSOR / 2 / LENS / MARGIN
    centre, depth = [], []
    for axis, tangent in ((right, half * min(1.0, aspect)), (above, half * min(1.0, 1 / aspect))):
        seen = [(_dot(corner, axis), _dot(corner, forward)) for corner in FILM["corners"]]
        least = max(a - tangent * z for a, z in seen)
        most = min(a + tangent * z for a, z in seen)
        centre.append((least + most) / 2)
        depth.append((most - least) / 2 / tangent)
    place = [centre[0] * r + centre[1] * u + min(depth) * f for r, u, f in zip(right, above, forward, strict=True)]
    data = bpy.data.cameras.new("camera")
    data.lens, data.sensor_width, data.sensor_fit = LENS, SENSOR, "AUTO"
    data.clip_start, data.clip_end = 0.001 * FILM["extent"], 100 * FILM["extent"]
    camera = _add(scene, "camera", None, data)
    camera.location, camera.rotation_euler = place, (tilt, 0.0, turn)
    scene.camera = camera


def _light(scene: Any) -> None:
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.angle = 2.2, math.radians(8)
    sun = _add(scene, "sun", None, data)
    turn = math.radians(VIEWS[FILM["view"]][1])
    sun.rotation_euler = (math.radians(42), math.radians(8), turn - math.radians(38))
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    for node in world.node_tree.nodes:
        if node.type == "BACKGROUND":
            node.inputs["Color"].default_value = (0.9, 0.94, 1.0, 1.0)
            node.inputs["Strength"].default_value = 0.8
    scene.world = world
    scene.view_settings.view_transform = "Standard"


def _floor(scene: Any) -> None:
    """A wide plane below everything, for shadows."""
    low, wide = FILM["floor"], 60 * FILM["extent"]
    mesh = bpy.data.meshes.new("floor")
    mesh.from_pydata(
        [(-wide, -wide, low), (wide, -wide, low), (wide, wide, low), (-wide, wide, low)], [], [(0, 1, 2, 3)]
    )
    mesh.materials.append(_material("floor", [0.5, 0.51, 0.53], 0.9))
    _add(scene, "floor", None, mesh)


def _engine(scene: Any, engine: str, samples: int) -> None:
    """Cycles runs on any processor; the other two need graphics hardware or a display."""
    names = {
        "cycles": ("CYCLES",),
        "eevee": ("BLENDER_EEVEE_NEXT", "BLENDER_EEVEE"),
        "workbench": ("BLENDER_WORKBENCH",),
    }
    for name in names[engine]:
        try:
            scene.render.engine = name
        except TypeError:  # not a renderer of this version of Blender
            continue
        break
    else:
        sys.exit(f"this Blender has no renderer {engine}: take another --engine")
    if engine == "cycles":
        scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", samples, False


def _film_format(scene: Any, path: str) -> None:
    """.mp4 as one file; a folder, with its final slash, as numbered pictures."""
    scene.render.filepath = os.path.abspath(path) + ("/" if path.endswith("/") else "")
    settings = scene.render.image_settings
    if not path.endswith(".mp4"):
        settings.file_format = "PNG"
        return
    if hasattr(settings, "media_type"):
        settings.media_type = "VIDEO"
    settings.file_format = "FFMPEG"
    scene.render.ffmpeg.format, scene.render.ffmpeg.codec = "MPEG4", "H264"


def _dot(a: Any, b: Any) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="film.py", description=f"Film of {FILM['name']}, for Blender.")
    parser.add_argument("--render", metavar="frame.png", help="render one frame to a picture")
    parser.add_argument("--frame", type=int, help=f"frame to show, 0 to {FILM['frames']} (default 0)")
    parser.add_argument("--film", metavar="film.mp4", help="render the film; a folder with its final / gets pictures")
    parser.add_argument("--save", metavar="film.blend", help="save the scene as a Blender file")
    parser.add_argument("--size", default="960x540", help="width and height of the picture (default 960x540)")
    parser.add_argument("--engine", choices=ENGINES, default="cycles", help="renderer (default cycles)")
    parser.add_argument("--samples", type=int, default=32, help="light paths per pixel of cycles (default 32)")
    return parser.parse_args(words)


def _words() -> list[str]:
    """The words after `--`; all words where it runs as a plain Python script."""
    if "--" in sys.argv:
        return sys.argv[sys.argv.index("--") + 1 :]
    return [] if bpy.app.binary_path else sys.argv[1:]


if __name__ == "__main__":
    main(_words())
