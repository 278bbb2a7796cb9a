"""Statics against reference answers: every case of tests/data/statics/reference.json, from model files.

The answers are free bodies of every link in 40 digits, checked by multipliers and by dV/dθ; tolerances are theirs.
"""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import mubo
from mubo.solvers.statics.equilibrium import Equilibrium

FOLDER = Path(__file__).parents[1] / "data" / "statics"
CASES = {case["name"]: case for case in json.loads((FOLDER / "reference.json").read_text())["cases"]}
FOUR_BAR = CASES["four_bar_spring"]


def load(name: str) -> mubo.Model:
    return mubo.load(FOLDER / f"{name}.toml")


def turned(angle: float, other: float) -> float:
    """How far two angles are apart, whole turns aside."""
    return abs(math.remainder(angle - other, 2 * math.pi))


@pytest.fixture(scope="module")
def equilibria() -> mubo.Run:
    return load("four_bar_spring").statics()


def test_the_four_bar_has_eight_equilibria(equilibria: mubo.Run) -> None:
    assert len(equilibria) == len(FOUR_BAR["equilibria"]) == 8


@pytest.mark.parametrize("wanted", FOUR_BAR["equilibria"], ids=lambda row: f"{math.degrees(row['crank']):.0f} deg")
def test_four_bar_with_spring(equilibria: mubo.Run, wanted: dict) -> None:
    bodies = ("crank", "coupler", "rocker")
    apart = [sum(turned(equilibria[f"{b}.phi"][row], wanted[b]) for b in bodies) for row in range(8)]
    row = int(np.argmin(apart))
    entry = equilibria.summary["equilibria"][row]
    assert apart[row] < 3 * FOUR_BAR["tolerances"]["angle"]
    for name, value in wanted.items():
        if ".on_" in name:
            assert equilibria[name][row] == pytest.approx(value, abs=FOUR_BAR["tolerances"]["reaction"])
    assert entry["stability"] == ("stable" if wanted["stable"] else "unstable")
    assert entry["potential"] == pytest.approx(wanted["potential"], rel=1e-10)
    assert entry["stiffness_of"]["A.q"] == pytest.approx(wanted["d2V_dtheta2"], rel=1e-9)


def in_space(flat: mubo.Model) -> mubo.Model:
    """The same four-bar of hinges in space, whose equations are redundant."""
    model = mubo.Model("in space", dimension=3)
    model.gravity = (0, -9.81, 0)
    for name, at in flat.bodies["ground"].points.items():
        model.ground.point(name, (*at, 0))
    for name in ("crank", "coupler", "rocker"):
        body = flat.bodies[name]
        turn = (math.cos(body.angle / 2), 0, 0, math.sin(body.angle / 2))
        points = {point: (*at, 0) for point, at in body.points.items()}
        model.body(
            name,
            position=(*body.position, 0),
            orientation=turn,
            points=points,
            mass=body.mass,
            center=(*body.center, 0),
        )
    for joint in flat.joints.values():
        model.revolute(joint.name, *joint.between, axis=(0, 0, 1))
    model.force("load", "point_force", "coupler.L", direction=(0, -1, 0), force=60)
    model.force("spring", "spring", "ground.S", "coupler.S", stiffness=1500, length=0.4)
    return model


def test_the_same_four_bar_in_space() -> None:
    run = in_space(load("four_bar_spring")).statics(starts=15)
    found = sorted((math.remainder(run["A.q"][k], 2 * math.pi), k) for k in range(len(run)))
    wanted = sorted((math.remainder(row["crank"], 2 * math.pi), k) for k, row in enumerate(FOUR_BAR["equilibria"]))
    assert [angle for angle, _ in found] == pytest.approx([angle for angle, _ in wanted], abs=1e-9)
    for (_, k), (_, row) in zip(found, wanted, strict=True):
        reference, entry = FOUR_BAR["equilibria"][row], run.summary["equilibria"][k]
        assert run["B.on_coupler.fx"][k] == pytest.approx(reference["B.on_coupler.fx"], abs=1e-8)
        assert entry["stiffness_of"]["A.q"] == pytest.approx(reference["d2V_dtheta2"], rel=1e-9)
        assert entry["potential"] == pytest.approx(reference["potential"], rel=1e-10)
    assert "B.on_coupler.fx" in run.summary["reactions"]["unique"]
    assert "B.on_coupler.fz" in run.summary["reactions"]["indeterminate"]


@pytest.mark.parametrize("side", [1, -1])
def test_holding_torque_of_the_locked_crank(side: int) -> None:
    rows = [row for row in FOUR_BAR["sweep"] if row["branch_side"] == side]
    model = load("four_bar_spring")
    model.driver("motor", "crank.phi", "t*pi/12")
    for name, at in (("crank", (0, 0)), ("coupler", (0.2, 0)), ("rocker", (0.5, 0))):
        model = model.replace(f"{name}.position", at).replace(f"{name}.angle", rows[0][name])
    run = model.statics(0, 23, 1)
    assert [row["crank_deg"] for row in rows] == [15 * k for k in range(24)]
    for name, tolerance in (("holding_effort", "effort"), *((n, "reaction") for n in rows[0] if ".on_" in n)):
        wanted = [row[name] for row in rows]
        found = run["motor.effort" if name == "holding_effort" else name]
        assert found == pytest.approx(wanted, abs=FOUR_BAR["tolerances"][tolerance])


@pytest.mark.parametrize("wanted", CASES["toggle_clamp"]["rows"], ids=lambda row: f"{row['knee_angle_deg']} deg")
def test_toggle_clamp(wanted: dict) -> None:
    model = (
        load("toggle_clamp").replace("work", wanted["slide"]).replace("link1.angle", f"{wanted['knee_angle_deg']} deg")
    )
    model = model.replace("link2.angle", f"{-wanted['knee_angle_deg']} deg")
    run = model.statics(0, 0, 1)
    tolerance = CASES["toggle_clamp"]["tolerances"]["force_relative"]
    assert run["work.effort"][0] == pytest.approx(-wanted["clamp_force"], rel=tolerance)
    for name in ("A.on_link1.fx", "A.on_link1.fy", "guide.on_jaw.fy"):
        assert run[name][0] == pytest.approx(wanted[name], rel=tolerance)


def test_ladder_with_sliding_shoes() -> None:
    rows, run = CASES["ladder"]["rows"], load("ladder").statics()
    assert [row["angle_deg"] for row in rows] == [75, 65, 55, 45]
    tolerance = CASES["ladder"]["tolerances"]["force_relative"]
    for column, name in (
        ("floor.on_shoe.fy", "floor_normal"),
        ("wall.on_top.fx", "wall_force"),
        ("hold.effort", "hold_effort"),
    ):
        assert run[column] == pytest.approx([row[name] for row in rows], rel=tolerance)


def test_chain_of_ten_links() -> None:
    case, run = CASES["chain_10"], load("chain").statics(starts=4)
    entries = run.summary["equilibria"]
    (row,) = (k for k, entry in enumerate(entries) if entry["stability"] == "stable")
    for k in range(10):
        assert turned(run[f"link{k + 1}.phi"][row], case["link_angles"][k]) < case["tolerances"]["angle"]
        pin = [run[f"P{k}.on_link{k + 1}.{word}"][row] for word in ("fx", "fy")]
        assert pin == pytest.approx(case["pin_force_on_next_link"][k], rel=case["tolerances"]["force_relative"])
    right = [-run[f"P10.on_ground.{word}"][row] for word in ("fx", "fy")]
    assert right == pytest.approx(case["right_support_on_last_link"], rel=case["tolerances"]["force_relative"])
    assert right[0] == pytest.approx(case["horizontal_force"], rel=1e-8)


def lamp(pose: dict) -> mubo.Model:
    model = load("lamp")
    one, two = (math.radians(pose[f"{arm}_deg"]) for arm in ("arm1", "arm2"))
    end = (0.4 * math.cos(one), 0.4 * math.sin(one))
    for name, value in (("arm1", one), ("rod", one), ("arm2", two)):
        model = model.replace(f"{name}.angle", value)
    model = model.replace("block.position", end).replace("arm2.position", end)
    model.driver("q1", "arm1.phi", one)
    model.driver("q2", "arm2.phi", two)
    return model


def test_a_chain_of_twenty_links_with_springs_in_its_joints_sags() -> None:
    """Drawn level, each link of mass 1 and length 0.1: the spring of joint k carries the moment of all weights beyond
    it, c φ_k = −Σ m g (x_i − x_k), which has one solution near the drawing."""
    links = 20
    model = mubo.Model("chain", gravity=(0, -9.81))
    model.ground.point("Q", (0, 0))
    for k in range(links):
        ends = {"P": (0, 0), "Q": (0.1, 0)}
        model.body(f"b{k}", (0.1 * k, 0), points=ends, mass=1, inertia=1e-3, center=(0.05, 0))
        model.revolute(f"j{k}", f"b{k - 1}.Q" if k else "ground.Q", f"b{k}.P")
        model.force(f"s{k}", "joint_spring", f"j{k}", stiffness=100)
    run = model.statics(starts=0)
    assert run.summary["equilibria"][0]["stability"] == "stable"
    joints = np.array([run[f"b{k}.x"][0] for k in range(links)])
    centers = joints + 0.05 * np.cos([run[f"b{k}.phi"][0] for k in range(links)])
    moments = [-9.81 * np.sum(centers[k:] - joints[k]) for k in range(links)]
    np.testing.assert_allclose([100 * run[f"j{k}.q"][0] for k in range(links)], moments, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("pose", CASES["lamp"]["poses"], ids=lambda pose: f"{pose['arm1_deg']}, {pose['arm2_deg']}")
def test_springs_of_no_free_length_hold_the_lamp_in_every_pose(pose: dict) -> None:
    run, case = lamp(pose).statics(), CASES["lamp"]
    for name in ("q1", "q2"):
        assert abs(run[f"{name}.effort"][0]) < case["tolerances"]["zero_effort_abs"]
    for name, value in pose.items():
        if ".on_" in name:
            assert run[name][0] == pytest.approx(value, abs=case["tolerances"]["reaction"])


@pytest.mark.parametrize(
    "pose", CASES["lamp"]["with_free_length"]["rows"], ids=lambda pose: f"{pose['arm1_deg']}, {pose['arm2_deg']}"
)
def test_springs_with_a_free_length_leave_an_effort(pose: dict) -> None:
    free = CASES["lamp"]["with_free_length"]["free_length"]
    run = lamp(pose).replace("s1.length", free).replace("s2.length", free).statics()
    for name in ("q1", "q2"):
        assert run[f"{name}.effort"][0] == pytest.approx(pose[f"{name}.effort"], abs=1e-8)


def test_the_lamp_is_neutral_where_nothing_drives_it() -> None:
    run = load("lamp").statics(starts=6)
    assert run.summary["equilibria"][0]["stability"] == "neutral"
    assert run.summary["equilibria"][0]["neutral_motions"] == 2
    assert any("no load resists" in note for note in run.summary["warnings"])


def swept_lamp() -> mubo.Model:
    """Both arms driven through a range of poses."""
    model = lamp(CASES["lamp"]["poses"][0])
    model.drivers.clear()
    model.driver("q1", "arm1.phi", f"{math.radians(75)} + 0.5*t")
    model.driver("q2", "arm2.phi", "0.9*sin(2*t)")
    return model


def test_balance_finds_the_springs_that_hold_the_lamp() -> None:
    """k1 a1 b1 = g (m1 L1/2 + mrod L1/2 + (mblock + marm2) L1), k2 a2 b2 = g marm2 c."""
    model = swept_lamp().replace("s1.stiffness", 500).replace("s2.stiffness", 0)
    run = model.statics(0, 1, 0.1, balance=("s1.stiffness", "s2.stiffness"))
    told = run.summary["balance"]
    first = 9.81 * (0.5 * 0.2 + 0.2 * 0.2 + (0.15 + 1.0) * 0.4) / (0.1 * 0.08)
    second = 9.81 * 1.0 * 0.278 / (0.09 * 0.07)
    assert told["parameters"]["s1.stiffness"]["before"] == 500
    assert told["parameters"]["s1.stiffness"]["after"] == pytest.approx(first, rel=1e-9)
    assert told["parameters"]["s2.stiffness"]["after"] == pytest.approx(second, rel=1e-9)
    assert all(effort["after"] < 1e-9 < effort["before"] for effort in told["largest_effort"].values())
    assert run.model.forces["s1"].options["stiffness"] == pytest.approx(first, rel=1e-9)


def test_balance_finds_a_counterweight() -> None:
    """A lever of mass m with its centre at c is balanced by M at distance b on the other side: M = m c / b."""
    model = mubo.Model("lever")
    model.gravity = (0, -9.81)
    model.ground.point("O", (0, 0))
    model.body("lever", points={"O": (0, 0), "W": (-0.3, 0)}, mass=4.0, center=(0.45, 0))
    model.body("weight", position=(-0.3, 0), points={"W": (0, 0)}, mass=0.0)
    model.revolute("O", "ground.O", "lever.O")
    model.joint("W", "fixed", "lever.W", "weight.W", angle=0)
    model.driver("hand", "O", "t")
    run = model.statics(0, 1, 0.1, balance="weight.mass")
    assert run.summary["balance"]["parameters"]["weight.mass"]["after"] == pytest.approx(4.0 * 0.45 / 0.3, rel=1e-9)
    assert np.max(np.abs(run["hand.effort"])) < 1e-9


def test_no_number_of_a_balance_becomes_negative() -> None:
    """A spring that could only make it worse is best without stiffness: least squares alone would ask for less."""
    model = swept_lamp().replace("s2.stiffness", 600)
    model.force("third", "spring", "block.S2", "arm2.S2", stiffness=10, length=0)
    run = model.statics(0, 1, 0.1, balance="third.stiffness")
    assert run.summary["balance"]["parameters"]["third.stiffness"]["after"] == 0


def test_a_plate_hangs_on_springs_alone():
    """No joint holds it: three springs carry 3 k (L − L₀) = m g, at the start 3 k (2 − L₀) pulls at the ceiling."""
    corners, stiffness, rest, mass = [(1.0, 0.0), (-0.5, 0.9), (-0.5, -0.9)], 100.0, 1.5, 3.0
    model = mubo.Model("plate on springs", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    points = {f"P{k}": (x, y, 0.0) for k, (x, y) in enumerate(corners)}
    model.body("plate", points={"O": (0, 0, 0), **points}, mass=mass, inertia=(1, 1, 1), center=(0, 0, 0))
    model.joint("float", "free", "ground.O", "plate.O")
    for k, (x, y) in enumerate(corners):
        model.ground.point(f"P{k}", (x, y, 2.0))
        model.force(f"s{k}", "spring", f"ground.P{k}", f"plate.P{k}", stiffness=stiffness, length=rest)
    first = model.statics(starts=3)
    assert first["plate.z"][0] == pytest.approx(2 - rest - mass * 9.81 / (3 * stiffness), abs=1e-9)
    falling = model.simulate(0, 0.1, 0.1, reactions=True)
    assert falling["shaking.fz"][0] == pytest.approx(-3 * stiffness * (2 - rest), rel=1e-12)


@pytest.mark.parametrize(("push", "stability"), [(-1.0, "stable"), (1.0, "unstable")])
def test_a_soft_degree_of_freedom_beside_a_stiff_one_decides(push: float, stability: str) -> None:
    """Upright levers of 1 m on springs of 1000 and 1 N m/rad; 2 N press on the soft one, or pull it up: k ∓ F L."""
    model = mubo.Model("levers", gravity=(0, 0))
    for name, x, stiffness in (("stiff", 0.0, 1e3), ("soft", 3.0, 1.0)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), math.pi / 2, points={"O": (0, 0), "T": (1, 0)})
        model.revolute(f"pin_{name}", f"ground.{name}", f"{name}.O")
        model.force(f"spring_{name}", "joint_spring", f"pin_{name}", stiffness=stiffness, rest=math.pi / 2)
    model.force("load", "point_force", "soft.T", direction=(0, -push), force=2)
    entry = model.statics(starts=0).summary["equilibria"][0]
    assert entry["stability"] == stability


def test_the_nearest_equilibrium_counts_the_turns_that_the_spring_counts():
    """A lever on a torsion spring, drawn at 1 rad: k q + m g a cos q = 0 with k = 0.3, m g a = 2.943 has seven roots in
    several turns, to |q| = m g a/k. The list has those within half a turn of the drawing, the nearest first, and with
    more revolutions the others behind them."""
    model = mubo.Model("lever", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("lever", angle=1.0, points={"P": (0, 0)}, mass=1, center=(0.3, 0), inertia=0.05)
    model.revolute("A", "ground.O", "lever.P")
    model.force("spring", "joint_spring", "A", stiffness=0.3, rest=0)
    run, every = model.statics(), model.statics(revolutions=2)
    found, all_of_them = run["A.q"], every["A.q"]
    np.testing.assert_allclose(0.3 * all_of_them + 2.943 * np.cos(all_of_them), 0, atol=1e-9)
    assert np.all(np.abs(found - 1.0) < np.pi)
    assert np.all(np.diff(np.abs(all_of_them - 1.0)) > 0)
    assert found[0] == pytest.approx(1.75, abs=0.01)
    np.testing.assert_array_equal(all_of_them[: len(found)], found)
    left = 7 - len(found)
    assert left > 0
    assert any(f"{left} more equilibria in further revolutions" in note for note in run.summary["warnings"])
    stiffness = model.linearize(equilibrium=len(found) + 1).K[0, 0]  # numbered as in the longer list
    assert stiffness == pytest.approx(0.3 - 2.943 * math.sin(all_of_them[len(found)]), rel=1e-9)


@pytest.mark.parametrize("rest", [0.02, -0.02])
def test_an_open_path_has_one_force_to_both_sides_of_its_start(rest: float) -> None:
    """A lever on a spring k (q − rest) that counts its turns, drawn 0.02 rad beside the only root."""
    model = mubo.Model("lever", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("lever", points={"P": (0, 0)}, mass=1, inertia=0.05)
    model.revolute("A", "ground.O", "lever.P")
    model.force("spring", "joint_spring", "A", stiffness=0.3, rest=rest)
    run = model.statics(starts=0)
    np.testing.assert_allclose(run["A.q"], [rest], atol=1e-9)
    assert not any("jump" in note for note in run.summary["warnings"])


@pytest.mark.parametrize(("push", "growth"), [(2.5, 0.25), (3.5, -0.25)])
def test_loads_without_a_potential_are_judged_by_their_own_stiffness(push: float, growth: float) -> None:
    """Ziegler's column (1952): two links of length l on springs k under a follower force P have, over their absolute
    angles, K = [[2 k − P l, P l − k], [−k, k]]: det K = k², and eigenvalues of the real part (3 k − P l)/2 while
    k < P l < 5 k. The symmetric part of K has the determinant k² − (P l)²/4, negative from P l = 2 k on."""
    K = np.array([[2 - push, push - 1], [-1, 1]])
    found = Equilibrium(SimpleNamespace(stiffness=K, scale=1.0))  # type: ignore[arg-type]
    assert not found.conservative
    np.testing.assert_allclose(found.stiffnesses, growth, atol=1e-12)
    assert found.stability == ("stable" if growth > 0 else "unstable")


def test_a_plate_on_springs_without_joints():
    """Two equal springs of length 0.5 hold a plate of weight 19.62 by its ends, 0.5 inside of theirs: with drop h and
    L = √(h² + 0.25) the balance is 2·100 (L − 0.5) h/L = 19.62."""
    model = mubo.Model("plate", gravity=(0, -9.81))
    model.ground.point("A", (-1, 1))
    model.ground.point("B", (1, 1))
    model.body("plate", points={"P": (-0.5, 0), "Q": (0.5, 0)}, mass=2, inertia=0.3)
    for name, one, other in (("left", "ground.A", "plate.P"), ("right", "ground.B", "plate.Q")):
        model.force(name, "spring", one, other, stiffness=100, length=0.5)
    run = model.statics()
    drop = 1 - run["plate.y"][0]
    length = math.hypot(drop, 0.5)
    assert 200 * (length - 0.5) * drop / length == pytest.approx(19.62, rel=1e-9)
    assert run.summary["equilibria"][0]["stability"] == "stable"


def test_the_best_spring_does_not_depend_on_units() -> None:
    """A spring between a driven lever and a driven block: torque and force are weighed as work per radian and per size
    of the mechanism, so that millimetres give the spring of metres."""
    found = {}
    for unit in ("m", "mm"):
        model = mubo.Model("press", units={"length": unit, "force": "N"}, gravity=("0 m/s^2", "0 m/s^2"))
        model.ground.point("O", ("0 m", "0 m"))
        model.ground.point("G", ("0 m", "0.5 m"))
        model.body("lever", points={"O": (0, 0), "T": ("0.3 m", 0)})
        model.body("block", ("0.2 m", "0.5 m"), points={"P": (0, 0)})
        model.revolute("A", "ground.O", "lever.O")
        model.translational("S", "ground.G", "block.P", axis=(1, 0), angle=0)
        model.driver("motor", "lever.phi", "0.6*t")
        model.driver("ram", "block.x", "0.2 + 0.1*t" if unit == "m" else "200 + 100*t")
        model.force("spring", "spring", "lever.T", "block.P", stiffness="50 N/m", length="0.1 m")
        model.force("weight", "point_force", "lever.T", direction=(0, -1), force="40")
        model.force("push", "point_force", "block.P", direction=(1, 0), force="7")
        run = model.statics(0, 1, 0.25, balance="spring.stiffness")
        best = run.summary["balance"]["parameters"]["spring.stiffness"]["after"]
        found[unit] = best * (1000 if unit == "mm" else 1)
    assert found["mm"] == pytest.approx(found["m"], rel=1e-9)


def pendulum() -> mubo.Model:
    """A rod in gravity that hangs at −90 deg and stands at 90 deg: g = m g r cos φ."""
    model = mubo.Model("pendulum", units={"length": "m", "angle": "deg"})
    model.gravity = (0, -9.81)
    model.ground.point("A", (0, 0))
    model.body("rod", angle=200, points={"A": (0, 0)}, mass=1, inertia=0.1, center=(0.5, 0))
    model.revolute("A", "ground.A", "rod.A")
    model.measure("height", of="rod.center.y")
    return model


@pytest.mark.parametrize(
    ("within", "angle", "stability"),
    [
        ({"A": ("80 deg", "100 deg")}, 90, "unstable"),
        ({"A": (-100, -80)}, -90, "stable"),  # 270 deg as drawn: an angle counts up to full turns
        ({"rod.phi": "1100 deg:1150 deg"}, 0, None),
        ({"height": (0, 1)}, 90, "unstable"),
        ({"A": "0:180", "height": (0, 1)}, 90, "unstable"),
    ],
)
def test_equilibria_within_a_range(within: dict, angle: float, stability: str | None) -> None:
    if stability is None:
        with pytest.raises(mubo.SimulationError, match=r"no equilibrium with rod\.phi between 1100 and 1150 deg"):
            pendulum().statics(within=within)
        return
    run = pendulum().statics(within=within)
    assert len(run) == 1
    assert turned(math.radians(run["A.q"][0]), math.radians(angle)) < 1e-9
    assert run.summary["equilibria"][0]["stability"] == stability
    assert any("1 more equilibrium outside" in note for note in run.summary["warnings"])


@pytest.mark.parametrize(
    ("within", "says"),
    [({"A": 3}, "two ends"), ({"A": (2, 1)}, "must be below"), ({"B": (0, 1)}, 'no joint, column or measure "B"')],
)
def test_ranges_that_mean_nothing_are_refused(within: dict, says: str) -> None:
    with pytest.raises(mubo.ModelError, match=says):
        pendulum().statics(within=within)
    driven = pendulum()
    driven.driver("motor", "A", "10*t")
    with pytest.raises(mubo.ModelError, match="every degree of freedom is driven"):
        driven.statics(0, 1, step=0.5, within={"A": (0, 1)})
