"""True for everything that can be drawn: every joint and load has shapes, strokes, solids, a node and a page entry; all
painters have the same solids and the same up. A new element is tested by being in the registry."""

import base64
import itertools
from dataclasses import replace

import numpy as np
import pytest

import mubo
from mubo.elements import JOINTS, SPATIAL_JOINTS, loads_of
from mubo.geometry.rotation import about, matrix
from mubo.laws import law_of
from mubo.model.column_names import TIME, body_columns
from mubo.results import Columns, Record, Run, Summary
from mubo.view.painters.actors import solid_film
from mubo.view.painters.blender.script import film_of
from mubo.view.painters.camera import Camera
from mubo.view.painters.gltf import document_of
from mubo.view.painters.space import cut_faces
from mubo.view.painters.stage import draw_mechanism
from mubo.view.painters.style import figure_style
from mubo.view.report.data import scene_data
from mubo.view.scene import Paint, scene_of
from mubo.view.scene.glyphs import GLYPHS, OF_THE_PLANE, ON_SHAFTS
from mubo.view.scene.motion import lift_to_space
from mubo.view.scene.solids import parts_of

REGISTRY = {2: JOINTS, 3: SPATIAL_JOINTS}
BETWEEN = [(n, kind) for n, kinds in REGISTRY.items() for kind, e in kinds.items() if e.key == "between"]
ROWS = 5


def examples(element):
    """Options as the declaration gives them."""
    return {o.name: o.example for o in element.options if o.example is not None}


def pair(dimension, gravity=None):
    """Two bodies on pins of the ground, that couplings can couple; nothing is solved."""
    model = mubo.Model("pair", dimension=dimension, **({} if gravity is None else {"gravity": gravity}))
    axis = {"axis": (0, 0, 1)} if dimension == 3 else {}
    for name, at in (("one", (0.0, 0.0, 0.0)), ("two", (2.0, 0.5, 0.0))):
        model.ground.point(name, at[:dimension])
        points = {"P": (0.0, 0.0, 0.0)[:dimension], "Q": (0.8, 0.3, 0.2)[:dimension]}
        model.body(name, points=points, **({"position": at} if dimension == 3 else {"position": at[:2]}))
        model.revolute(f"pin_{name}", f"ground.{name}", f"{name}.P", **axis)
    return model


def turned(model):
    """A result in which both bodies turn about their pins."""
    t = np.linspace(0, 1, ROWS)
    columns = Columns(model.units, [(TIME, t)])
    for name, speed in (("one", 0.3), ("two", -0.4)):
        x, y, *_ = model.bodies["ground"].points[name]
        pose = {"x": x + 0 * t, "y": y + 0 * t}
        if model.dimension == 2:
            pose["phi"] = speed * t
        else:
            quaternion = about((0, 0, 1), speed * t)
            pose |= {"z": 0 * t, **{f"q{c}": quaternion[:, k] for k, c in enumerate("wxyz")}}
        words = {column.label: column for column in body_columns(name, model.dimension)}
        columns.extend((words[word], values) for word, values in pose.items())
    return run_of(model, columns)


def run_of(model, columns):
    return Run(columns, list, Summary(), Record(model.build(), "kinematics", "absolute", (0.0, 1.0, 0.25)))


def with_joint(dimension, kind):
    model, element = pair(dimension), REGISTRY[dimension][kind]
    ends = ("one.Q", "two.Q") if element.ends == "point" else ("one", "two")
    given = examples(element)
    if any(option.name == "lift" for option in element.options):
        given["lift"] = "0.1*cos(2*t)"
    if element.on_shafts:  # its bearings say where the wheels are
        axis = (2, 0.5, 0) if element.on_shafts == "meet" else (0, 1, 0)
        model.joints.pop("pin_one")
        model.revolute("pin_one", "ground.one", "one.P", axis=axis)
        given["of"] = ("pin_one", "pin_two")
    model.joint("J", kind, *ends, **given)
    return model


def with_load(dimension, kind):
    model, element = pair(dimension), loads_of(dimension)[kind]
    on = {"between": ("one.Q", "two.Q"), "of": ("pin_one",), "at": ("one.Q",), "body": ("one",)}[element.key]
    model.force("F", kind, *on, **examples(element))
    return model


def shown(run, label):
    """Names of all that belongs to an element: shapes, strokes or solids of the page, nodes of the glTF."""
    scene = scene_of(run)
    held = scene_data(run, scene, [])
    document, _ = document_of(solid_film(scene))
    places = (
        [shape.name for shape in scene.shapes],
        [entry["name"] for entry in held.get("strokes", held.get("solids"))],
        [node["name"] for node in document["nodes"]],
    )
    with figure_style() as figure:
        draw_mechanism(figure(figsize=(3, 3)).subplots(), scene).axes.figure.canvas.draw()
    return [[name for name in names if name == label or name.startswith(f"{label} ")] for names in places]


@pytest.mark.parametrize(("dimension", "kind"), BETWEEN)
def test_every_joint_is_drawn(dimension, kind):
    assert all(shown(turned(with_joint(dimension, kind)), "joint J"))


@pytest.mark.parametrize(("dimension", "kind"), [(n, kind) for n in (2, 3) for kind in loads_of(n)])
def test_every_load_is_drawn(dimension, kind):
    assert all(shown(turned(with_load(dimension, kind)), "force F"))


@pytest.mark.parametrize(("dimension", "glyph"), list(itertools.product((2, 3), sorted(GLYPHS))))
def test_a_new_joint_with_any_glyph_is_drawn(monkeypatch, dimension, glyph):
    """A toy joint, turning or coupling, that names an existing glyph needs nothing else; wheels need their shafts."""
    options = {"radii": (0.4, 0.2), "radius": 0.3, "base": 0.3, "lift": law_of("0.1*cos(2*t)")}
    toy = replace(REGISTRY[dimension]["revolute"], name="toy", glyph=glyph)
    monkeypatch.setitem(REGISTRY[dimension], "toy", toy)
    model = pair(dimension)
    model.joint("J", "toy", "one.Q", "two.Q", **({"axis": (0, 0, 1)} if dimension == 3 else {}))
    model.joints["J"] = replace(model.joints["J"], options={**model.joints["J"].options, **options})
    if dimension == 3 and GLYPHS[glyph] in OF_THE_PLANE:
        with pytest.raises(mubo.ResultError, match=r"joint J cannot be drawn: the glyph .* is of the plane"):
            scene_of(turned(model))
        return
    if GLYPHS[glyph] in ON_SHAFTS:
        with pytest.raises(mubo.ResultError, match=r"joint J cannot be drawn: the glyph .* is of wheels"):
            scene_of(turned(model))
        return
    assert all(shown(turned(model), "joint J"))


def grounded(dimension, kind, load):
    """An element between a point of the ground and a body; nothing is solved."""
    model = pair(dimension)
    model.ground.point("wall", (-1.0, 0.7, 0.4)[:dimension])
    element = loads_of(dimension)[kind] if load else REGISTRY[dimension][kind]
    ends = ("ground.wall", "two.Q") if load or element.ends == "point" else ("ground", "two")
    given = examples(element) | ({"lift": "0.1*cos(2*t)"} if any(o.name == "lift" for o in element.options) else {})
    (model.force if load else model.joint)("J", kind, *ends, **given)
    return model


LOADS_BETWEEN = [(n, kind) for n in (2, 3) for kind, load in loads_of(n).items() if load.key == "between"]
LOADS_BETWEEN = [(n, kind) for n, kind in LOADS_BETWEEN if loads_of(n)[kind].ends == "point"]  # a torque has no place
# nothing holds a free body, a welded one is the ground's own, and bearings of their own hold wheels on shafts
HOLDING = [(n, kind, False) for n, kind in BETWEEN if REGISTRY[n][kind].glyph not in ("free", "weld")]
HOLDING = [(n, kind, load) for n, kind, load in HOLDING if not REGISTRY[n][kind].on_shafts]


@pytest.mark.parametrize(("dimension", "kind", "load"), [*HOLDING, *((*entry, True) for entry in LOADS_BETWEEN)])
def test_no_ground_floats(dimension, kind, load):
    """What an element has in the ground is drawn there: a stand, a guide, a wheel or a sheet in the frame's colour."""
    scene = scene_of(turned(grounded(dimension, kind, load)))
    names = ("support J", "joint J", "force J")
    held = [s for s in scene.shapes if s.frame == "ground" and s.paint == Paint.FRAME and s.name.startswith(names)]
    assert held, f"nothing shows the ground of {kind}"


def test_an_unknown_glyph_is_refused_by_name(monkeypatch):
    monkeypatch.setitem(JOINTS, "toy", replace(JOINTS["revolute"], name="toy", glyph="pinn"))
    model = pair(2)
    model.joint("J", "toy", "one.Q", "two.Q")
    with pytest.raises(mubo.ResultError, match='joint J cannot be drawn: there is no glyph "pinn"'):
        scene_of(turned(model))


GRAVITIES = [
    *[(0.0, 0.0, -9.81), (0.0, 0.0, 9.81), (0.0, -9.81, 0.0), (9.81, 0.0, 0.0), (-9.0, -3.0, 0.0), None],
    *[(0.0, -9.81), (0.0, 9.81), (-9.0, -3.0)],
]


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_all_painters_have_the_same_up(gravity):
    """What falls goes down: against the largest part of gravity in matplotlib, glTF (+y), Blender (+z) and the page."""
    dimension = 3 if gravity is None else len(gravity)
    run = turned(pair(dimension, gravity))
    scene = scene_of(run)
    up = np.array(scene.up)
    fall = np.array(gravity if gravity is not None else (0, 0, -1.0))
    assert up @ fall == -np.max(np.abs(fall))
    assert scene_data(run, scene, [])["up"] == list(scene.up)
    if dimension == 3:
        camera = Camera(scene)
        assert camera.project(up)[1] > 0.9 * np.cos(np.radians(18))  # the eye is 18 degrees above the floor
        assert camera.floor < np.min(np.array(scene.box) @ up)
    film = solid_film(scene)
    in_space = np.append(up, 0.0)[:3]
    document, _ = document_of(film)
    x, y, z, w = document["nodes"][0]["rotation"]
    assert matrix((w, x, y, z)) @ in_space == pytest.approx((0, 1, 0), abs=1e-12)
    assert matrix(film_of(film)["upright"]) @ in_space == pytest.approx((0, 0, 1), abs=1e-12)


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_stands_are_below_unless_the_body_hangs(gravity):
    """The foot of a stand lies in the direction of fall from its pin; above it where the body hangs down from it."""
    dimension = 3 if gravity is None else len(gravity)
    down = -np.array(scene_of(turned(pair(dimension, gravity))).up)
    for sense in (1.0, -1.0):
        model = mubo.Model("post", dimension=dimension, **({} if gravity is None else {"gravity": gravity}))
        model.ground.point("A", (0.0,) * dimension)
        model.body("post", position=(0.0,) * dimension, points={"A": (0,) * dimension, "B": tuple(-sense * down)})
        model.revolute("A", "ground.A", "post.A", **({"axis": np.roll(down, 1)} if dimension == 3 else {}))
        places = [c for c in body_columns("post", dimension) if c.order == 0]
        zero = Columns(model.units, [(TIME, np.zeros(1)), *((c, np.array([float(c.label == "qw")])) for c in places)])
        scene = scene_of(run_of(model, zero))
        (stand,) = (shape for shape in scene.shapes if shape.name == "support A")
        assert stand.numbers["direction"] @ down == pytest.approx(sense)


@pytest.mark.parametrize("dimension", [2, 3])
def test_all_painters_have_the_same_solids(dimension):
    """glTF, Blender and the page hold the places of the scene's meshes; matplotlib's pieces have the same area."""
    model = with_load(dimension, "spring")
    scene = scene_of(turned(model))
    parts, film = parts_of(scene), solid_film(scene)
    document, data = document_of(film)
    meshes = {mesh["name"]: mesh for mesh in document["meshes"]}
    blender = {part["name"]: part for actor in film_of(film)["actors"] for part in actor["parts"]}
    page = {entry["name"]: entry for entry in scene_data(turned(model), scene, []).get("solids", [])}
    for part in parts:
        places = part.mesh.places.astype("<f4")
        view = document["bufferViews"][meshes[part.name]["primitives"][0]["attributes"]["POSITION"]]
        found = np.frombuffer(data, "<f4", 3 * len(places), view["byteOffset"]).reshape(-1, 3)
        np.testing.assert_array_equal(found, places)
        np.testing.assert_array_equal(blender[part.name]["places"], part.mesh.places)
        np.testing.assert_array_equal(blender[part.name]["triangles"], part.mesh.triangles)
        if dimension == 3:
            given = np.frombuffer(base64.b64decode(page[part.name]["places"]), "<f4").reshape(-1, 3)
            np.testing.assert_array_equal(given, places)
        corners, _ = cut_faces(part.mesh, 3 * scene.thick)
        triangles = part.mesh.places[part.mesh.triangles]
        assert area(corners[:, [0, 1, 2]]) + area(corners[:, [0, 2, 3]]) == pytest.approx(area(triangles), rel=1e-6)


def area(triangles):
    a, b, c = np.moveaxis(triangles, 1, 0)
    return float(np.sum(np.linalg.norm(np.cross(b - a, c - a), axis=1))) / 2


def test_a_force_is_as_long_as_its_part_of_the_largest():
    """F = 1 + t along (0, 0.6, 0.8) in ground axes: at t = 0 half as long as at t = 1."""
    scene = scene_of(turned(with_load(3, "point_force")))
    along = arrow_of(scene, "force F on one")
    length = np.linalg.norm(along, axis=1)
    assert length / length[-1] == pytest.approx((1 + scene.times) / 2)
    assert along / length[:, None] == pytest.approx(np.tile([0, 0.6, 0.8], (ROWS, 1)))


def arrow_of(scene, name):
    """From where a force acts to the tip of its arrow: its shaft, and its head which begins where that ends."""
    reaches = {reach.name: reach for reach in scene.reaches}
    shaft, head = reaches[name], reaches[f"{name} head"]
    np.testing.assert_array_equal(head.start, shaft.along)
    assert shaft.first == head.first
    return head.start + head.along


def test_a_force_in_body_axes_turns_with_its_body():
    model = pair(2)
    model.force("F", "point_force", "one.Q", direction=(1, 0), axes="body", force="2")
    along = arrow_of(scene_of(turned(model)), "force F on one")
    angle = 0.3 * np.linspace(0, 1, ROWS)
    assert np.arctan2(*along.T[::-1]) == pytest.approx(angle)


def test_a_reach_of_the_plane_has_z_along_it():
    """In space its z axis points from the first end to the second, so that stretching z makes them meet."""
    pose = lift_to_space(np.array([1.0, 2.0, 0.7, 3.0]))
    assert matrix(pose[3:7])[:, 2] == pytest.approx((np.cos(0.7), np.sin(0.7), 0), abs=1e-15)
    assert (pose[:3], pose[7]) == (pytest.approx((1, 2, 0)), 3)
