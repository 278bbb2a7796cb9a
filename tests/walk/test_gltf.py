"""Binary glTF: the file obeys the specification, and its nodes are where the table says at every time."""

import numpy as np
import pytest
from conftest import EXAMPLES
from glb import Glb

import mubo
from mubo.geometry.rotation import matrix
from mubo.view.painters.actors import axis_name, upright
from mubo.view.scene.colours import linear_rgb

Y_UP = {"plane": np.eye(3), "space": np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0.0]])}  # (x, y, z) to (x, z, −y)
METRE = {"m": 1.0, "mm": 1e-3, "": 1.0, "cm": 1e-2, "in": 0.0254}


def solved(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    return model.simulate() if model.analysis.type == "simulate" else model.kinematics()


def falls_along_z(model):
    """Whether z is up: what falls along −y stands upright in a file whose y is up as it is."""
    return model.dimension == 3 and not (model.gravity and model.gravity[1] < 0)


def table_pose(run, body, row):
    """Place and rotation matrix as the table has them."""
    if run.model.dimension == 3:
        place = [run[f"{body}.{c}"][row] for c in "xyz"]
        return np.array(place), matrix(np.array([run[f"{body}.q{c}"][row] for c in "wxyz"]))
    phi = run[f"{body}.phi"][row] * run.units.angle_factor()
    turn = np.array([[np.cos(phi), -np.sin(phi), 0], [np.sin(phi), np.cos(phi), 0], [0, 0, 1]])
    return np.array([run[f"{body}.x"][row], run[f"{body}.y"][row], 0.0]), turn


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_bodies_are_where_the_table_says(tmp_path, name):
    run = solved(name)
    run.export(tmp_path / "film.glb")
    film = Glb(tmp_path / "film.glb")
    turned = Y_UP["space" if falls_along_z(run.model) else "plane"]
    if run.model.dimension == 3 and run.model.gravity and run.model.gravity[2] > 0:
        turned = np.diag([1, -1, -1]) @ turned  # z points down
    metre = METRE[run.units.length]
    for body in run.model.bodies:
        assert film.names().count(body) == 1
        for row in {0, 1, len(run) // 3, len(run) - 1} if body != "ground" else ():
            place, turn = table_pose(run, body, row)
            found = film.world(body, np.float32(run["t"][row] - run["t"][0]))  # the time as the file holds it
            size = max(1.0, np.max(np.abs(place))) * metre
            assert found[:3, 3] == pytest.approx(turned @ place * metre, abs=1e-6 * size)
            assert found[:3, :3] / metre == pytest.approx(turned @ turn, abs=2e-6)


def test_five_body_chain_has_its_joints_and_colours(tmp_path):
    run = solved("five_body_chain")
    run.export(tmp_path / "film.glb")
    film = Glb(tmp_path / "film.glb")
    nodes = film.json["nodes"]
    assert {f"joint {name}" for name in run.model.joints} <= set(film.names())
    assert nodes[film.names().index("ground")]["children"]
    upper = nodes[film.names().index("upper")]
    material = film.json["meshes"][upper["mesh"]]["primitives"][0]["material"]
    colour = film.json["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"]
    assert colour[:3] == pytest.approx(linear_rgb("#0072B2"))
    times, _ = film.tracks[film.names().index("upper"), "translation"]
    assert times == pytest.approx(run["t"], abs=1e-6)


def test_white_and_black_light():
    """sRGB: 0 and 1 stay, the middle grey #808080 is 21.6 % of the light (IEC 61966-2-1)."""
    assert linear_rgb("#ffffff") == pytest.approx((1, 1, 1))
    assert linear_rgb("#000000") == (0, 0, 0)
    assert linear_rgb("#808080")[0] == pytest.approx(0.2158605)


@pytest.mark.parametrize("up", [*map(tuple, np.eye(3)), *map(tuple, -np.eye(3))])
def test_upright_brings_up_to_y(up):
    assert matrix(upright(axis_name(up))) @ up == pytest.approx([0, 1, 0], abs=1e-15)


@pytest.mark.parametrize(
    ("gravity", "up"),
    [
        ((0, 0, -9.81), "z"),
        ((0, -9.81, 0), "y"),
        ((9.81, 0, 0), "-x"),
        ((1, 2, 3), "-z"),
        ((-9, -3, 0), "x"),
        ((0, 0, 0), "z"),
    ],
)
def test_up_is_against_gravity(tmp_path, gravity, up):
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    model.gravity = gravity
    model.simulate(0, 0.1, 0.1).export(tmp_path / "film.glb")
    assert Glb(tmp_path / "film.glb").json["nodes"][0]["extras"]["up"] == up


def test_rods_springs_and_rams_reach_from_point_to_point(tmp_path):
    """The end of a link's z axis, which is as long as the link, is its second point."""
    model = mubo.Model("links", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("A", (0, 0, 0))
    model.ground.point("B", (0.3, 0.2, 1))
    model.body("arm", points={"A": (0, 0, 0), "tip": (1, 0, 0)}, mass=1, inertia=(0.1, 0.1, 0.1), center=(0.5, 0, 0))
    model.revolute("A", "ground.A", "arm.A", axis=(0, 1, 0))
    model.force("coil", "spring", "ground.B", "arm.tip", stiffness=20, length=0.5)
    model.point("T", "arm", (1, 0, 0))
    run = model.simulate(0, 1, 0.05)
    run.export(tmp_path / "film.glb")
    film = Glb(tmp_path / "film.glb")
    for row in (0, 7, 20):
        pose = film.world("force coil", run["t"][row])
        assert pose[:3, 3] == pytest.approx(Y_UP["space"] @ (0.3, 0.2, 1), abs=1e-6)
        tip = np.array([run[f"T.{c}"][row] for c in "xyz"])
        assert (pose @ (0, 0, 1, 1))[:3] == pytest.approx(Y_UP["space"] @ tip, abs=2e-6)


def test_one_time_stands_still(tmp_path):
    notes = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 0, 0.1).export(tmp_path / "film.glb")
    assert notes == ("one time only: the mechanism does not move",)
    film = Glb(tmp_path / "film.glb")
    assert "animations" not in film.json
    assert film.world("crank", 0)[:3, 3] == pytest.approx((np.cos(np.pi / 3), np.sin(np.pi / 3), 0), abs=1e-6)


def test_speed_and_a_late_start(tmp_path):
    """A film starts at zero, as glTF wants it; at a tenth of the speed it lasts ten times longer."""
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics(-0.5, 0.5, 0.1)
    run.export(tmp_path / "film.glb", speed=0.1)
    film = Glb(tmp_path / "film.glb")
    times, _ = film.tracks[film.names().index("crank"), "translation"]
    assert (times[0], times[-1]) == pytest.approx((0, 10), abs=1e-6)
    assert film.json["nodes"][0]["extras"]["start"] == -0.5


def test_gaps_are_left_out_and_told(tmp_path):
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    gap = run["rocker.x"].copy()
    gap[[3, 4]] = np.nan
    run.columns = run.columns.replaced({"rocker.x": gap})
    (note,) = run.export(tmp_path / "film.glb")
    assert note == "2 of 41 rows have no numbers (the first at t = 0.075 s) and are left out"
    film = Glb(tmp_path / "film.glb")
    assert all(len(times) == 39 for times, _ in film.tracks.values())


def test_nothing_to_show_is_refused(tmp_path):
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    whole = run.columns
    run.columns = whole.replaced({name: column[:0] for name, column in whole.items()})
    with pytest.raises(mubo.ResultError, match="no rows"):
        run.export(tmp_path / "film.glb")
    run.columns = whole.replaced({"rocker.x": np.full(41, np.nan)})
    with pytest.raises(mubo.ResultError, match="no row in which every body has a place"):
        run.export(tmp_path / "film.glb")
    run.columns = whole.replaced({"t": whole["t"] * 0})
    with pytest.raises(mubo.ResultError, match="times of the result do not grow"):
        run.export(tmp_path / "film.glb")
    run.columns = whole.replaced({"t": np.append(0, 1e3 + 1e-6 * np.arange(40))})
    with pytest.raises(mubo.ResultError, match="closer together than glTF can hold"):
        run.export(tmp_path / "film.glb")
    chain = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 0.1, 0.1)
    chain.columns = chain.columns.replaced({"lower.qw": chain["lower.qw"] + 1})
    with pytest.raises(mubo.ResultError, match="body lower: the quaternion at t = "):
        chain.export(tmp_path / "film.glb")
    assert not list(tmp_path.iterdir())
