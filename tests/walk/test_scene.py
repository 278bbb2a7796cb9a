"""The scene: plain data that says the same as the table."""

import json
from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES
from matplotlib.path import Path

import mubo
from mubo.geometry.rotation import matrix
from mubo.view.scene import Kind, place, poses_at, scene_of
from mubo.view.scene.colours import tone
from mubo.view.scene.glyphs import GLYPHS
from mubo.view.scene.outlines import corners_of
from mubo.view.scene.strokes import strokes_of

KEYS = {"format", "version", "name", "dimension", "units", "size", "thick", "up", "box", "times", "bodies", "poses"}
KEYS |= {"framed", "reaches", "shapes", "joints", "points", "texts", "events", "forces"}
MODELS = sorted([*EXAMPLES.glob("*.toml"), *EXAMPLES.glob("*.dat")])


def run_of(path):
    model = mubo.load(path)
    return model.simulate() if model.analysis.type == "simulate" else model.kinematics()


@pytest.fixture(scope="module")
def four_bar():
    return mubo.load(EXAMPLES / "four_bar.toml").kinematics()


@pytest.fixture(scope="module")
def chain():
    return mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 1, 0.02)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_json_has_the_documented_form(path):
    scene = scene_of(run_of(path))
    held = json.loads(json.dumps(scene.as_json(), allow_nan=False))
    assert set(held) - {"scale"} == KEYS
    assert ("scale" in held) == any("to_scale" in reach for reach in held["reaches"])
    assert (held["format"], held["version"]) == ("mubo-scene", 2)
    n = held["dimension"]
    names = {body["name"] for body in held["bodies"]}
    for body in held["bodies"]:
        assert len(body["colour"]) == 7
        assert body["fixed"] or body["name"] in held["poses"]
    frames = names | {reach["name"] for reach in held["reaches"]}
    assert frames & names == names
    for shape in held["shapes"]:
        assert shape["frame"] in frames
        assert shape["kind"] in set(Kind)
        assert (shape["stretch"] == "none") or shape["frame"] not in names
        assert all(len(p) == n for p in shape.get("points", []))
    for rows in held["poses"].values():
        assert len(rows) == len(held["times"])
        assert all(row is None or len(row) == {2: 3, 3: 7}[n] for row in rows)
    for joint in held["joints"]:
        assert joint["glyph"] in GLYPHS
        assert {joint["first"]["body"], joint["second"]["body"]} <= names
        assert len(joint["axis"]) == len(joint["first"]["at"]) == n
    for point in (*held["points"], *held["texts"]):
        assert point["body"] in names


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_everything_lies_in_the_box(path):
    scene = scene_of(run_of(path))
    low, high = np.array(scene.box)
    small = 1e-9 * scene.size
    for shape in scene.shapes:
        if shape.frame in scene.poses:
            placed = place(scene.poses[shape.frame], corners_of(shape, scene.dimension))
            assert np.all(placed >= low - small)
            assert np.all(placed <= high + small)


def test_poses_and_points_are_the_tables(four_bar):
    scene = scene_of(four_bar)
    np.testing.assert_array_equal(scene.times, four_bar["t"])
    for k, word in enumerate(("x", "y", "phi")):
        np.testing.assert_array_equal(scene.poses["coupler"][:, k], four_bar[f"coupler.{word}"])
    (dot,) = scene.points
    placed = place(scene.poses[dot.body], dot.at)[:, 0]
    np.testing.assert_allclose(placed, np.column_stack([four_bar["P.x"], four_bar["P.y"]]), atol=1e-14)


def test_poses_in_space_are_the_tables(chain):
    scene = scene_of(chain)
    words = ("x", "y", "z", "qw", "qx", "qy", "qz")
    np.testing.assert_array_equal(scene.poses["left"], np.column_stack([chain[f"left.{w}"] for w in words]))
    for joint in scene.joints:  # hinge points of both bodies coincide
        ends = [
            place(scene.poses[e.body], e.at)[:, 0] if e.body in scene.poses else np.zeros((len(chain), 3))
            for e in (joint.first, joint.second)
        ]
        np.testing.assert_allclose(*ends, atol=1e-9)


def test_degrees_become_radians():
    run = mubo.load(EXAMPLES / "planetary_gear.toml").kinematics()
    assert run.unit("sun.phi") == "deg"
    np.testing.assert_allclose(scene_of(run).poses["sun"][:, 2], np.radians(run["sun.phi"]))
    assert scene_of(run).units["angle"] == "deg"


def test_between_rows_the_motion_is_that_of_a_finer_run(four_bar, chain):
    """Cubic interpolation is off by h⁴/384 of the fourth derivative: far below a pixel."""
    fine = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, 0.005)
    poses = poses_at(scene_of(four_bar), fine["t"])
    for k, word in enumerate(("x", "y", "phi")):
        np.testing.assert_allclose(poses["crank"][:, k], fine[f"crank.{word}"], atol=1e-5)
        np.testing.assert_allclose(poses["rocker"][:, k], fine[f"rocker.{word}"], atol=2e-2)
    finer = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 1, 0.005)
    poses = poses_at(scene_of(chain), finer["t"])
    for k, word in enumerate(("x", "y", "z", "qw", "qx", "qy", "qz")):
        np.testing.assert_allclose(poses["right"][:, k], finer[f"right.{word}"], atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(poses["right"][:, 3:], axis=1), 1.0, atol=1e-14)


def test_without_rates_turns_are_steady(chain):
    """Slerp: halfway between two turns about one axis is half the turn."""
    scene = replace(scene_of(chain), rates={})
    half = 0.6
    quaternion = [[1.0, 0, 0, 0], [np.cos(half), 0, 0, np.sin(half)]]
    pose = np.concatenate([np.zeros((2, 3)), quaternion], axis=1)
    scene = replace(scene, times=np.array([0.0, 1.0]), poses={"upper": pose})
    turned = matrix(poses_at(scene, np.array([0.5]))["upper"][0, 3:])
    np.testing.assert_allclose(turned[0, 0], np.cos(half), atol=1e-14)


def test_a_gap_is_null_and_ends_at_its_rows(four_bar):
    columns = {name: four_bar.columns.raw(name).copy() for name in four_bar.columns}
    columns["crank.x"][5] = np.nan
    scene = scene_of(replace(four_bar, columns=four_bar.columns.replaced(columns)))
    assert scene.as_json()["poses"]["crank"][5] is None
    t = scene.times
    poses = poses_at(scene, np.array([t[4], (t[4] + t[5]) / 2, t[5], t[6]]))["crank"]
    np.testing.assert_array_equal(np.isnan(poses[:, 0]), [False, True, True, False])


def test_colours_are_those_of_the_bodies(four_bar):
    scene = scene_of(four_bar)
    assert scene.colour("P.vx") == scene.colour("coupler.phi") == scene.body("coupler").colour
    assert len({body.colour for body in scene.bodies}) == 4
    assert scene.colour("energy.total") is None


def test_teeth_mesh():
    """At the first position a tooth of each wheel meets a gap: outlines of sun and planet do not cross."""
    run = mubo.load(EXAMPLES / "planetary_gear.toml").kinematics()
    scene = scene_of(run)
    outlines = {}
    for body in ("sun", "planet"):
        (gear,) = (s.numbers["outline"] for s in scene.shapes if s.frame == body and s.kind == Kind.GEAR)
        outlines[body] = place(scene.poses[body][0], gear)
    centre = place(scene.poses["planet"][0], np.zeros((1, 2)))[0]
    near = np.hypot(*(outlines["sun"] - centre).T)
    assert near.min() < 10  # the pitch radius of the planet: the teeth do reach into each other
    assert not Path(outlines["planet"]).contains_points(outlines["sun"]).any()


@pytest.mark.parametrize("path", [path for path in MODELS if mubo.load(path).dimension == 2], ids=lambda p: p.stem)
def test_bars_lie_over_plates_and_plates_let_through(path):
    scene = scene_of(run_of(path))
    plates = {shape.name for shape in scene.shapes if shape.kind in (Kind.PLATE, Kind.GEAR, Kind.DISC)}
    bars = {shape.name for shape in scene.shapes if shape.kind == Kind.BAR} - plates
    drawn = strokes_of(scene)
    last = max((k for k, stroke in enumerate(drawn) if stroke.name in plates and stroke.face == "faint"), default=-1)
    assert all(k > last for k, stroke in enumerate(drawn) if stroke.name in bars)
    assert len(tone("faint", "#0072B2")) == 9  # with its opacity


def test_gears_show_their_pitch_circles():
    scene = scene_of(mubo.load(EXAMPLES / "planetary_gear.toml").kinematics())
    radii = {"sun": 20.0, "planet": 10.0, "ground": 40.0}
    for stroke in strokes_of(scene):
        if (
            stroke.face is None
            and np.isnan(stroke.points).any()
            and stroke.name.startswith("joint")
            and len(stroke.points) > 200
        ):
            on_circle = stroke.points[np.isfinite(stroke.points).all(axis=1)]
            assert np.hypot(*on_circle.T) == pytest.approx(np.full(len(on_circle), radii.pop(stroke.frame)))
    assert not radii


def test_a_tappet_stands_on_its_face_and_is_guided_above_the_cam():
    """The foot touches the cam where the face is; it is as wide as h' = 4 sin ψ asks; the guide is clear of the cam."""
    scene = scene_of(mubo.load(EXAMPLES / "tappet_cam.toml").kinematics())
    bars = [shape.numbers for shape in scene.shapes if shape.frame == "tappet" and shape.kind == Kind.BAR]
    foot = min(bars, key=lambda bar: np.max(bar["points"][:, 1]))
    assert foot["points"][:, 1] - foot["radius"] == pytest.approx([0, 0])
    assert foot["points"][:, 0] == pytest.approx([12, -12]) or foot["points"][:, 0] == pytest.approx([-12, 12])
    (guide,) = (s.numbers for s in scene.shapes if s.name == "joint guide guide")
    greatest = 20 + 8  # base and lift: 4 (1 − cos ψ) is at most 8
    assert min(guide["start"][1], guide["end"][1]) > greatest
    narrow = mubo.load(EXAMPLES / "tappet_cam.toml")
    points = {"face": (0.0, 0.0), "top": (0.0, 40.0)}
    narrow.bodies["tappet"] = replace(narrow.bodies["tappet"], points=points)
    shapes = scene_of(narrow.kinematics()).shapes
    feet = [np.ptp(s.numbers["points"][:, 0]) for s in shapes if s.frame == "tappet" and s.kind == Kind.BAR]
    assert max(feet) == pytest.approx(2 * 4, rel=1e-3)


def test_a_belt_closes():
    """Two runs and two arcs: each end of a run is the end of an arc, and lies on its wheel."""
    run = mubo.load(EXAMPLES / "belt_drive.toml").kinematics()
    lines = [s.numbers["points"] for s in scene_of(run).shapes if s.kind == Kind.LINE and s.paint == "ink"]
    runs, arcs = [line for line in lines if len(line) == 2], [line for line in lines if len(line) > 2]
    assert (len(runs), len(arcs)) == (2, 2)
    ends = sorted(map(tuple, np.concatenate(runs).round(9)))
    assert ends == sorted(map(tuple, np.concatenate([arc[[0, -1]] for arc in arcs]).round(9)))
    for arc in arcs:  # tangent where they meet
        step = (arc[1] - arc[0]) / np.linalg.norm(arc[1] - arc[0])
        (line,) = (line for line in runs if np.min(np.linalg.norm(line - arc[0], axis=1)) < 1e-9)
        assert abs(step @ (line[1] - line[0])) / np.linalg.norm(line[1] - line[0]) > 0.99


def test_a_platform_is_a_plate_on_a_base_and_a_cross_has_forks():
    scene = scene_of(mubo.load(EXAMPLES / "stewart_platform.toml").kinematics())
    plates = {shape.name: shape.numbers["points"] for shape in scene.shapes if shape.kind == Kind.PLATE}
    model = mubo.load(EXAMPLES / "stewart_platform.toml")
    joints = np.array([at for name, at in model.bodies["plate"].points.items() if name != "O"])
    assert {tuple(p) for p in plates["plate"].round(9)} == {tuple(p) for p in joints.round(9)}
    feet = [s.numbers["at"] + s.numbers["high"] * s.numbers["direction"] for s in scene.shapes if s.kind == Kind.STAND]
    assert {tuple(p) for p in plates["base ground"].round(9)} == {tuple(p) for p in np.round(feet, 9)}
    hooke = scene_of(mubo.load(EXAMPLES / "hooke_joint.toml").kinematics())
    pins, forks = (
        [s for s in hooke.shapes if s.name.startswith("joint cross") and s.paint == p] for p in ("steel", "own")
    )
    arms = [place(hooke.poses[s.frame], s.numbers["points"]) for s in pins if s.kind == Kind.BAR]
    one, other = (arm[:, 1] - arm[:, 0] for arm in arms)
    square = np.sum(one * other, axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    assert square == pytest.approx(np.zeros(len(square)), abs=1e-9)
    for arm, fork in zip(arms, forks, strict=True):  # each fork holds the ends of its pin, at every row
        held = place(hooke.poses[fork.frame], fork.numbers["points"])
        np.testing.assert_allclose(held[:, [0, -1]], arm, atol=1e-9)


def test_sizes_follow_the_mechanism():
    """A mechanism a thousand times as large gives the same drawing: every length of it is a thousand times as large."""
    small, large = (mubo.load(EXAMPLES / "four_bar.toml") for _ in range(2))
    large = mubo.Model("four bar")
    for name, body in small.bodies.items():
        points = {point: tuple(1000 * x for x in at) for point, at in body.points.items()}
        if name == "ground":
            for point, at in points.items():
                large.ground.point(point, at)
        else:
            large.body(name, position=tuple(1000 * x for x in body.position), angle=body.angle, points=points)
    for joint in small.joints.values():
        large.revolute(joint.name, *joint.between)
    large.driver("motor", "crank.phi", small.drivers["motor"].motion)
    large.point("P", "coupler", tuple(1000 * x for x in small.points["P"].at))
    one, other = (scene_of(model.kinematics(0, 1, 0.1)) for model in (small, large))
    for a, b in zip(strokes_of(one), strokes_of(other), strict=True):
        np.testing.assert_allclose(1000 * a.points, b.points, rtol=1e-9, atol=1e-6)
        assert (a.line, a.face, a.edge, a.frame) == (b.line, b.face, b.edge, b.frame)


def test_a_result_without_rows_has_no_scene(four_bar):
    empty = replace(four_bar, columns=four_bar.columns.replaced({name: v[:0] for name, v in four_bar.columns.items()}))
    with pytest.raises(mubo.MuboError, match="no rows"):
        scene_of(empty)
