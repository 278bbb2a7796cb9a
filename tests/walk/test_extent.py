"""Numbers far too large or far away: refused with the number, or of no effect on the answer."""

import math
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

import mubo

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("far", [1e6, 9007199254740993.0])
def test_an_estimate_that_is_far_off_leaves_the_digits_of_the_answer(far):
    """The links (90 and 100 mm) close on one of two branches; angles come back from all the turns of the way there."""
    model = mubo.load(EXAMPLES / "five_bar.toml")
    x, _ = model.bodies["right_link"].position
    run = model.replace("right_link.position", (x, far)).kinematics(0, 0.1, step=0.1)
    assert run.summary["tolerance"] == model.kinematics(0, 0.1, step=0.1).summary["tolerance"]
    for link, own in (("left_link", 90), ("right_link", 100)):
        length = math.hypot(run["P.x"][0] - run[f"{link}.x"][0], run["P.y"][0] - run[f"{link}.y"][0])
        assert length == pytest.approx(own, abs=1e-10)
        assert abs(run[f"{link}.phi"][0]) < 360
    assert ["they do not determine the branch" in note for note in run.summary["warnings"]] == [True]


@pytest.mark.parametrize("key", ["position", "points"])
def test_places_too_far_to_compute_with_are_refused_with_their_line(tmp_path, key):
    given = "position = [1e308, 0]" if key == "position" else "points = { A = [0, 0], B = [1e308, 0] }"
    lines = ["[body.ground]", "points = { A = [0, 0] }", "[body.arm]", given, "[joint.A]", 'type = "revolute"']
    (tmp_path / "m.toml").write_text("\n".join([*lines, 'between = ["ground.A", "arm.A"]']))
    what = "its position" if key == "position" else "point B"
    with pytest.raises(mubo.ModelError, match=rf"m.toml, line 4: body arm: {what} is 1e\+308 away; lengths above"):
        mubo.load(tmp_path / "m.toml").check()


@pytest.mark.parametrize(
    ("dimension", "shape"), [(2, {"kind": "disc", "radius": 1e61}), (3, {"kind": "sphere", "radius": 1e308})]
)
def test_shapes_too_large_to_compute_with_are_refused(dimension, shape):
    with pytest.raises(mubo.ModelError, match=r"body b: radius is 1e\+\d+; lengths above 1e\+60"):
        mubo.Model("m", dimension=dimension).body("b", shape=shape, mass=1)


@pytest.mark.parametrize("part", ['shape = { kind = "bar", between = ["A", "B"] }', 'segment = "thigh"'])
def test_solids_between_points_too_far_away_are_refused_for_the_points(tmp_path, part):
    names = ("A", "B") if part.startswith("shape") else ("hip", "knee")
    points = f"points = {{ {names[0]} = [0, 0], {names[1]} = [1e308, 0] }}"
    head = ["[subject]", "mass = 70", "[body.ground]", "points = { A = [0, 0] }", "[body.arm]"]
    joint = ["[joint.A]", 'type = "revolute"', f'between = ["ground.A", "arm.{names[0]}"]']
    mass = ["mass = 1"] if part.startswith("shape") else []
    (tmp_path / "m.toml").write_text("\n".join([*head, points, part, *mass, *joint]))
    with pytest.raises(mubo.ModelError, match=rf"body arm: point {names[1]} is 1e\+308 away; lengths above"):
        mubo.load(tmp_path / "m.toml").check()


@pytest.mark.parametrize("solid", ['<sphere radius="1e300"/>', '<cylinder length="1e300" radius="1"/>'])
def test_solids_of_a_robot_that_are_too_large_are_refused(tmp_path, solid):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    link = f'<link name="a">{inertial}<visual><geometry>{solid}</geometry></visual></link>'
    joint = (
        '<joint name="j" type="revolute"><parent link="base"/><child link="a"/><limit effort="1" velocity="1"/></joint>'
    )
    (tmp_path / "m.urdf").write_text(f'<robot name="r"><link name="base"/>{link}{joint}</robot>')
    with pytest.raises(mubo.ModelError, match=r'line 1: link a: \w+ needs a number below 1e\+\d+; found "1e300"'):
        mubo.load(tmp_path / "m.urdf")


def test_masses_too_large_for_given_rates_are_refused():
    model = mubo.load(EXAMPLES / "released_rssr.toml")
    name = next(iter(body for body, part in model.bodies.items() if part.mass))
    with pytest.raises(mubo.ModelError, match=r"not finite numbers|cannot be computed with"):
        model.replace(f"{name}.mass", 1e308).simulate(0, 0.1, 0.1)


@pytest.mark.parametrize(("option", "value"), [("base", "1e300"), ("roller", "1e61")])
def test_lengths_of_joints_that_are_too_large_are_refused(tmp_path, option, value):
    text, count = re.subn(
        rf"^{option} = .*", f"{option} = {value}", (EXAMPLES / "offset_cam.toml").read_text(), flags=re.M
    )
    assert count == 1
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(mubo.ModelError, match=rf"line \d+: joint contact: {option} is .*; lengths above 1e\+60"):
        mubo.load(tmp_path / "m.toml")


def test_forces_that_overflow_are_refused():
    """The components are numbers, the squares of them are not."""
    model = mubo.load(EXAMPLES / "engine.toml")
    model.gravity = (1e300, 0.0)
    with pytest.raises(mubo.MuboError, match=r"column \S+\.on_\S+\.f is not a finite number at t = 0 s: inf"):
        model.inverse(0, 0.01, 0.005)


def test_more_rows_than_anyone_reads_are_refused_before_any_work():
    with pytest.raises(mubo.ModelError, match=r"gives 1e\+07 rows, more than 5,000,000"):
        mubo.load(EXAMPLES / "cart_pole.toml").simulate(0, 200_000, 0.02)


def test_turns_of_a_screw_are_counted_as_turns(tmp_path):
    """1e12 revolutions are 2π 1e12 rad, however little the thread advances."""
    text = (EXAMPLES / "screw_jack.toml").read_text()
    assert 'motion = "2*t"' in text
    (tmp_path / "m.toml").write_text(text.replace('motion = "2*t"', 'motion = "1e12 + t"'))
    with pytest.raises(mubo.ModelError, match=r"driver handle: its angle at t = 0 s is 1e\+12 rev"):
        mubo.load(tmp_path / "m.toml").check()


def test_a_block_without_mass_is_refused_where_it_has_a_velocity():
    model = mubo.load(EXAMPLES / "sticking_block.toml")
    with pytest.raises(mubo.ModelError, match="inertia of the mechanism is 0 at the start"):
        model.replace("block.mass", 0).simulate(0, 0.1, 0.1)


def test_wheels_of_more_teeth_than_can_be_seen_are_drawn(tmp_path):
    text = (EXAMPLES / "planetary_gear.toml").read_text()
    assert "teeth = [20, 80]" in text
    (tmp_path / "m.toml").write_text(text.replace("teeth = [20, 80]", "teeth = [2000000000000, 80]"))
    mubo.load(tmp_path / "m.toml").kinematics(0, 0.1, 0.1).plot(path=tmp_path / "m.svg")
    assert (tmp_path / "m.svg").stat().st_size < 20e6


def test_a_simulation_that_cannot_begin_with_numbers_is_refused():
    """The square of its speed is no number."""
    model = mubo.Model("arm", dimension=3)
    model.gravity = (0, 0, 0)
    model.ground.point("O", (0, 0, 0))
    model.body("arm", points={"O": (0, 0, 0), "P": (1, 0, 0)}, mass=1, inertia=(1, 1, 1), center=(0.5, 0, 0))
    model.body("hand", points={"P": (0, 0, 0)}, position=(1, 0, 0), mass=1, inertia=(1, 1, 1), center=(0, 0.5, 0))
    model.joint("O", "revolute", "ground.O", "arm.O", axis=(0, 0, 1))
    model.joint("P", "revolute", "arm.P", "hand.P", axis=(0, 0, 1))
    model.initial("O", v=1e200)
    with pytest.raises(mubo.ModelError, match="speeds or accelerations are not finite numbers"):
        model.simulate(0, 1, step=0.5)


@pytest.mark.parametrize("text", ["t" + "+t" * 998, "-" * 900 + "t"])
def test_long_expressions_of_time_are_read(text):
    """Their names are looked for before anything else: parameters may stand in them."""
    model = mubo.load(EXAMPLES / "four_bar.toml").replace("motor", text)
    assert len(model.kinematics(0, 0, 1)) == 1


@pytest.mark.parametrize(
    "text", ["crank.phi" + "+t" * 900, "-" * 400 + "crank.phi", "sin(" * 150 + "crank.phi" + ")" * 150]
)
def test_expressions_too_deep_to_judge_their_units_are_refused(text):
    model = mubo.load(EXAMPLES / "engine.toml")
    model.force("deep", "body_torque", "crank", torque=text)
    with pytest.raises(mubo.ModelError, match="is nested more than 100 deep"):
        model.inverse(step=0.01)


def test_a_point_that_nothing_holds_changes_no_tolerance():
    """The rack moves by the arc of the pinion, 15 mm per radian; both formulations to rounding."""
    model = mubo.load(EXAMPLES / "rack_and_pinion.toml").replace("rack.left", (-6e11, 0))
    runs = [model.kinematics(0, 2, step=0.1, formulation=name) for name in ("loops", "absolute")]
    for run in runs:
        assert run.summary["tolerance"] == pytest.approx(1e-9, rel=1e-12)  # of the decade of 15 mm
        assert run["rack.x"] == pytest.approx(15 * run["pinion.phi"] * math.pi / 180, abs=1e-9)
    assert runs[0]["rack.x"] == pytest.approx(runs[1]["rack.x"], abs=1e-10)


def test_a_point_of_interest_far_away_hides_no_stroke():
    """The trammel's slides go from −100 to 100 mm, the length of its bar, whatever is marked on it."""
    run = mubo.load(EXAMPLES / "elliptic_trammel.toml").replace("P", (1e26, 0)).kinematics()
    for slide in ("rail_x.q", "rail_y.q"):
        assert run.summary["extremes"][slide]["range"] == pytest.approx(200, abs=1e-9)


@pytest.mark.parametrize(("far", "told"), [(1e9, False), (1e10, True), (1e26, True)])
def test_lengths_too_far_apart_are_told_with_both(far, told):
    """Of 16 digits less than half are left to 50 mm beside 1e10 mm."""
    model = mubo.load(EXAMPLES / "elliptic_trammel.toml").replace("bar.A", (-far, 0))
    said = f"lengths {math.log10(far / 50):.0f} digits apart, 50 mm (bar.B) and {far:.4g} mm (bar.A)"
    for notes in (model.check().notes, model.kinematics(0, 0, 1).summary["warnings"]):
        assert any(note.startswith(said) for note in notes) == told


@pytest.mark.parametrize(("angle", "told"), [(1e9, False), (1.1e9, True), (1e308, True)])
def test_angles_of_too_many_turns_are_refused(angle, told):
    """With 1e308 rad the closed joint would be off by its whole size; at 1e9 rad 1e-7 rad are left."""
    model = mubo.Model("coupling")
    model.body("input", points={"A": (0, 0)})
    model.body("output", points={"B": (0, 0)})
    with pytest.raises(mubo.ModelError, match="more revolutions") if told else nullcontext():
        model.joint("coupling", "oldham", "input.A", "output.B", angle=angle)


def test_lengths_of_joints_count_too():
    """A rod of 0.01 beside a frame of 1e15: 17 digits."""
    model = mubo.Model("arm")
    model.ground.point("far", (1e15, 0))
    model.body("arm", points={"B": (0, 0)}, position=(1e15, 1))
    model.joint("rod", "distance", "ground.far", "arm.B", length=0.01)
    said = "lengths 17 digits apart, 0.01 (rod.length) and 1e+15 (ground.far)"
    assert any(note.startswith(said) for note in model.check().notes)


def test_a_quotient_of_tiny_rates_has_its_rate():
    """The leverage is geometry: the same however slowly the arm moves; its rate is the speed's, 1e-300 of it."""
    model = mubo.load(EXAMPLES / "swing_arm.toml")
    slow, quick = (model.replace("bump", {"rate": rate}).kinematics(0, 0, 1) for rate in ("1e-300 deg/s", "1 deg/s"))
    assert slow["leverage"] == pytest.approx(quick["leverage"], rel=1e-12)
    assert slow["leverage.rate"] == pytest.approx(0, abs=1e-290)


def test_measures_without_a_number_are_told_or_refused(recwarn):
    """Points that meet have a distance but no rate; 0/0 all along a run is no measure."""
    model = mubo.load(EXAMPLES / "swing_arm.toml").copy()
    model.measure("none", distance=["ground.pivot", "arm.pivot"])
    run = model.kinematics(0, 1, step=0.5)
    assert run["none"] == pytest.approx(0, abs=1e-12)
    assert "column none.rate has no finite number at all 3 rows, first at t = 0 s: NaN" in run.summary["warnings"]
    model.measure("turning", value="1/(t - 0.5)")
    notes = model.kinematics(0, 1, step=0.5).summary["warnings"]
    assert "column turning has no finite number at 1 of 3 rows, first at t = 0.5 s: infinite" in notes
    with pytest.raises(mubo.SimulationError, match="column leverage is not a finite number at t = 0 s: nan"):
        model.replace("bump", "0").kinematics(0, 1, step=0.5)
    assert [str(warning.message) for warning in recwarn] == []
