"""Run by `make blender` inside Blender's Python: is every body where the table says, in the scene and in the picture?

    python check_film.py film.py poses.csv film.glb folder
    blender --background --python-exit-code 1 --python check_film.py -- film.py poses.csv film.glb folder

1. The script builds the scene; at several frames the world matrix of every body is compared with the table (1e-5).
2. A frame is rendered with Cycles as people see it: folder/frame.png.
3. The same frame is rendered with every body in a flat colour of its own; where the camera sees the centre of mass of a
   body, projected by this file's own formula, the pixel must have that body's colour: folder/bodies.png.
4. The .glb is imported by Blender's own reader; its bodies must be in the same places.
"""

import csv
import importlib
import math
import runpy
import sys
from pathlib import Path

import bpy

FRAME, FRAMES = 60, (0, 1, 33, 60, 127, 250)
WIDTH, HEIGHT = 480, 360
TOLERANCE = 1e-5


def main(script, table, glb, folder):
    sys.argv = [
        "film.py",
        "--",
        "--render",
        f"{folder}/frame.png",
        "--frame",
        str(FRAME),
        "--size",
        f"{WIDTH}x{HEIGHT}",
    ]
    sys.argv += ["--samples", "16"]
    names = runpy.run_path(script, run_name="__main__")
    scene = bpy.data.scenes[names["FILM"]["name"]]
    rate = names["FILM"]["fps"][0] / names["FILM"]["fps"][1]
    rows = read(table)
    bodies = [name[:-3] for name in rows[0] if name.endswith(".qw")]
    print(f"scene           largest difference {compare(scene, bodies, rows, rate):.1e}")
    scene.frame_set(FRAME)
    seen = picture(scene, bodies, f"{folder}/bodies.png")
    print(f"picture         centres seen where the table says: {', '.join(seen)}")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = round(rate), 1.0
    numpy = importlib.import_module("numpy")  # of Blender's reader: Debian's 3.4 needs an old name
    if "bool" not in vars(numpy):
        numpy.bool = bool
    bpy.ops.import_scene.gltf(filepath=glb)
    print(f"glTF imported   largest difference {compare(scene, bodies, rows, rate, imported=True):.1e}")


def read(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def compare(scene, bodies, rows, rate, imported=False):
    """Largest difference of places and axes over frames and bodies; beyond the tolerance it is an error.

    Blender's reader of glTF turns the axes of every object with its mesh: its y is −z of the file, its z is y.
    """
    largest = 0.0
    step = rows[1]["t"] - rows[0]["t"]
    for frame in FRAMES:
        scene.frame_set(frame)
        row = rows[round(frame / rate / step)]
        view_layer = scene.view_layers[0]
        view_layer.update()
        for body in bodies:
            found = bpy.data.objects[body].evaluated_get(view_layer.depsgraph).matrix_world
            wanted = pose(row, body)
            if imported:
                wanted = [[x, -z, y, r] for x, y, z, r in wanted]
            gap = max(abs(found[i][j] - wanted[i][j]) for i in range(3) for j in range(4))
            assert gap < TOLERANCE, f"{body} is off by {gap} at frame {frame}"
            largest = max(largest, gap)
    return largest


def pose(row, body):
    """Three lines of rotation matrix and place, from the quaternion of the table."""
    w, x, y, z = (row[f"{body}.q{c}"] for c in "wxyz")
    turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return [[*line, row[f"{body}.{c}"]] for line, c in zip(turn, "xyz", strict=True)]


def picture(scene, bodies, path):
    """Renders flat colours, one body alone in its own; answers the bodies whose centre is seen, each checked."""
    scene.render.filepath, scene.cycles.samples = path, 1
    scene.cycles.max_bounces = 0
    scene.view_settings.view_transform = "Raw"
    scene.world = None
    colours = {body: ((k + 1) % 2, (k + 1) // 2 % 2, (k + 1) // 4 % 2) for k, body in enumerate(bodies)}
    for thing in scene.objects:
        if thing.type == "MESH":
            body = thing.name if thing.name in colours else thing.parent.name if thing.parent else ""
            thing.data.materials.clear()
            thing.data.materials.append(glowing(colours.get(thing.name, (0.2, 0.2, 0.2)), body + thing.name))
    bpy.ops.render.render(write_still=True, scene=scene.name)
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    pixels = list(image.pixels)
    seen = []
    for body in bodies:
        u, v, hit = projected(scene, bpy.data.objects[body].matrix_world.translation)
        if hit != body:
            continue  # another body, or a joint, is in front of it
        at = 4 * (int(v) * WIDTH + int(u))
        found = [round(value, 2) for value in pixels[at : at + 3]]
        assert found == [float(c) for c in colours[body]], f"{body} is not seen at pixel {u:.1f}, {v:.1f}: {found}"
        seen.append(body)
    assert len(seen) >= 3, f"only {seen} are seen"
    return seen


def glowing(rgb, name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    light, out = tree.nodes.new("ShaderNodeEmission"), tree.nodes.new("ShaderNodeOutputMaterial")
    light.inputs["Color"].default_value = (*rgb, 1.0)
    tree.links.new(light.outputs["Emission"], out.inputs["Surface"])
    return material


def projected(scene, place):
    """Pixel of a place (from the lower left), by the pinhole formula, and the object that the camera sees there."""
    camera = scene.camera
    x, y, z = camera.matrix_world.inverted() @ place
    focal = camera.data.lens / camera.data.sensor_width * max(WIDTH, HEIGHT)
    eye = camera.matrix_world.translation
    ray = scene.ray_cast(scene.view_layers[0].depsgraph, eye, (place - eye).normalized())
    assert z < 0
    assert math.isfinite(x / z)
    return WIDTH / 2 - focal * x / z, HEIGHT / 2 - focal * y / z, ray[4].name if ray[0] else ""


if __name__ == "__main__":
    script, table, glb, folder = sys.argv[sys.argv.index("--") + 1 if "--" in sys.argv else 1 :]
    Path(folder).mkdir(parents=True, exist_ok=True)
    main(script, table, glb, str(Path(folder).resolve()))
