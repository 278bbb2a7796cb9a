"""Transmission angle, mechanical advantage and near misses against closed forms."""

import math
import warnings

import numpy as np
import pytest
from conftest import DATA, EXAMPLES
from test_change_points import linkage

import mubo
from mubo.laws import Program, Segment

FORMULATIONS = ["absolute", "loops"]
MODELS = [path.stem for path in sorted(EXAMPLES.glob("*.toml")) if 'type = "kinematics"' in path.read_text()]


def four_bar(crank, coupler, rocker, ground, start=30.0) -> mubo.Model:
    """O'Kins' four-bar at any crank angle, assembled with the elbow above: one turn a second."""
    theta = math.radians(start)
    bx, by = crank * math.cos(theta), crank * math.sin(theta)
    gap, lean = math.hypot(ground - bx, by), math.atan2(-by, ground - bx)
    rise = math.acos((coupler**2 + gap**2 - rocker**2) / (2 * coupler * gap))
    second = lean + rise
    cx, cy = bx + coupler * math.cos(second), by + coupler * math.sin(second)
    third = math.atan2(-cy, ground - cx)
    model = linkage((crank, coupler, rocker, ground), (start, math.degrees(second), math.degrees(third)))
    model.drivers.clear()
    model.driver("crank", "z1.phi", f"{start} + 360*t")
    return model


def cosine(a, b, c, d, theta):
    """cos μ = (b² + c² − a² − d² + 2 a d cos θ) / (2 b c): the cosine law on the diagonal (Norton, section 4.10)."""
    return (b * b + c * c - a * a - d * d + 2 * a * d * np.cos(theta)) / (2 * b * c)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_four_bar_at_every_row(formulation):
    lengths = (2, 6, 5, 6.5)
    run = four_bar(*lengths).kinematics(0, 1, 0.01, formulation=formulation, transmission=True)
    angle = np.radians(run["transmission.z2_z3.angle"])
    np.testing.assert_allclose(np.cos(angle), cosine(*lengths, np.radians(run["crank.value"])), atol=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.001, 0.0231])
def test_four_bar_extremes_where_the_crank_lies_on_the_ground_line(formulation, step):
    """μ is smallest at θ = 0 and largest at θ = 180 degrees, here between the rows."""
    lengths = (2, 6, 5, 6.5)
    told = four_bar(*lengths).kinematics(0, 1, step, formulation=formulation).summary["transmission"]
    least, most = (math.degrees(math.acos(cosine(*lengths, theta))) for theta in (0.0, math.pi))
    assert least < 180 - most  # so that it is the worst
    assert told["group"] == "dyad RRR of z2 and z3"
    assert told["minimum"] == pytest.approx(least, abs=1e-5)
    assert told["range"][1] == pytest.approx(most, abs=0.5)
    assert told["drivers"]["crank"] == pytest.approx(360, abs=0.01)
    assert told["unit"] == "deg"


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_slider_crank(formulation):
    """In line, crank r and rod l: the rod leans by sin β = r sin θ / l, and μ = 90 degrees ± β."""
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    run = model.kinematics(formulation=formulation, transmission=True)
    cos = np.cos(np.radians(run["transmission.rod_cylinder.angle"]))
    np.testing.assert_allclose(np.abs(cos), np.abs(50 * np.sin(np.radians(run["motor.value"])) / 150), atol=1e-12)
    assert run.summary["transmission"]["minimum"] == pytest.approx(math.degrees(math.acos(1 / 3)), abs=1e-6)


def test_a_slide_that_shortens_is_seen_though_its_angle_is_right():
    """A slotted arm stands square to its pin's motion always; σ falls as the pin comes close to the pivot."""
    model = mubo.load(EXAMPLES / "whitworth.toml")
    run = model.kinematics(transmission=True)
    np.testing.assert_allclose(run["transmission.arm_slot.angle"], 90, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_advantage_of_a_four_bar(formulation):
    """ω2 / ω4 = c sin μ / (a sin ν), ν between crank and coupler (Norton, section 6.4)."""
    a, b, c, d = 2, 6, 5, 6.5
    run = four_bar(a, b, c, d).kinematics(0, 1, 0.0125, formulation=formulation, advantage="z3.phi")
    first, second, third = (np.radians(run[f"{z}.phi"]) for z in ("z1", "z2", "z3"))
    expected = np.abs(c * np.sin(third - second) / (a * np.sin(first - second)))
    np.testing.assert_allclose(run["transmission.advantage"], expected, rtol=1e-9)
    told = run.summary["transmission"]["mechanical_advantage"]
    fine = four_bar(a, b, c, d).kinematics(0, 1, 1e-4, formulation=formulation, advantage="z3.phi")
    assert told["minimum"]["value"] == pytest.approx(float(np.min(fine["transmission.advantage"])), rel=1e-6)
    assert told["minimum"]["value"] <= np.min(expected)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_advantage_is_geometry_however_slow_the_driver(formulation):
    """A crank that swings to and fro: the same ratio at every speed, and none where it stands for a moment."""
    a, b, c, d = 2, 6, 5, 6.5
    model = four_bar(a, b, c, d)
    model.drivers.clear()
    model.driver("crank", "z1.phi", "30 - 60*cos(pi*t) + 60")
    run = model.kinematics(0, 1, 0.01, formulation=formulation, advantage="z3.phi")
    first, second, third = (np.radians(run[f"{z}.phi"]) for z in ("z1", "z2", "z3"))
    expected = np.abs(c * np.sin(third - second) / (a * np.sin(first - second)))
    np.testing.assert_allclose(run["transmission.advantage"][1:-1], expected[1:-1], rtol=1e-9)
    assert np.isnan(run["transmission.advantage"][[0, -1]]).all()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_advantage_of_a_toggle(formulation):
    """F / T = 1 / |dx/dθ|, dx/dθ = −r sin θ (1 + r cos θ / √(l² − r² sin² θ)): without bound at the dead centre."""
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    run = model.kinematics(0, 0.5, 0.005, formulation=formulation, advantage="piston.x")
    theta = np.radians(run["motor.value"])
    slope = -50 * np.sin(theta) * (1 + 50 * np.cos(theta) / np.sqrt(150**2 - (50 * np.sin(theta)) ** 2))
    away = np.abs(np.sin(theta)) > 1e-6
    np.testing.assert_allclose(run["transmission.advantage"][away], 1 / np.abs(slope[away]), rtol=1e-8)
    assert run.summary["transmission"]["mechanical_advantage"]["maximum"]["value"] > 1e6
    assert run.summary["transmission"]["mechanical_advantage"]["maximum"]["drivers"]["motor"] == pytest.approx(180)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.01, 0.0123, 0.004])
def test_a_nearly_parallelogram_misses_its_change_points(formulation, step):
    """The crank is short by a thousandth: nothing is singular, but at 180 and 360 degrees B, C, D nearly line up."""
    lengths = (0.999, 3, 1, 3)
    run = four_bar(*lengths).kinematics(0, 1, step, formulation=formulation)
    assert run.summary["status"] == "ok"
    assert [event.kind for event in run.events] == ["near_miss", "near_miss"]
    for event, turn in zip(run.events, (180.0, 360.0), strict=True):
        assert event.drivers["crank"] == pytest.approx(turn, abs=1e-4)
        assert event.bodies == ("z2", "z3")
        mu = math.degrees(math.acos(cosine(*lengths, math.radians(turn))))
        assert f"falls to {min(mu, 180 - mu):.3g} deg, below 5.7 deg; transmission is poor" in event.message
        assert event.message.endswith("(joints B, C, D)")


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_miss_between_two_rows_is_seen(formulation):
    """Rows at 173 and 187 degrees, where μ is 7 degrees from stretched: the miss at 180 lies between them."""
    lengths = (0.999, 3, 1, 3)
    run = four_bar(*lengths, start=33.0).kinematics(0, 0.6, 14 / 360, formulation=formulation, transmission=True)
    assert np.min(np.degrees(np.pi - np.radians(run["transmission.z2_z3.angle"]))) > 6.5
    (event,) = run.events
    assert event.kind == "near_miss"
    assert event.drivers["crank"] == pytest.approx(180, abs=1e-4)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_longer_coupler_misses_the_stretched_position_only(formulation):
    """1, 3.001, 1, 3: at 180 degrees |BD| = 4 and coupler and rocker reach 4.001."""
    run = four_bar(1, 3.001, 1, 3).kinematics(0, 0.8, 0.01, formulation=formulation)
    (event,) = run.events
    assert event.kind == "near_miss"
    assert event.t == pytest.approx(150 / 360, abs=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_dead_points_are_no_near_misses(formulation):
    """A parallelogram passes its change point: that is told once, and the transmission angle is zero there."""
    run = four_bar(1, 3, 1, 3).kinematics(0, 0.6, 0.01, formulation=formulation)
    assert [event.kind for event in run.events] == ["bifurcation"]
    told = run.summary["transmission"]
    assert told["minimum"] == pytest.approx(0, abs=1e-4)
    assert told["drivers"]["crank"] == pytest.approx(180, abs=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_lock_up_is_no_near_miss(formulation):
    """O'Kins' Type II stops at 119.994 degrees, coupler and rocker stretched: one event, of kind limit."""
    with pytest.warns(UserWarning, match="the mechanism locks"):
        run = linkage((1, 1.048, 0.684, 1), (110, -19.87, -58.6)).kinematics(0, 3.2, 0.01, formulation=formulation)
    assert [event.kind for event in run.events] == ["limit"]
    assert run.summary["transmission"]["minimum"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_passage_is_a_near_miss_of_its_own(formulation):
    """A crank that swings by 3 degrees about the stretched position: μ rises from 2.6 to 3.9 degrees in between."""
    model = four_bar(0.999, 3, 1, 3, start=180.0)
    model.drivers.clear()
    model.driver("crank", "z1.phi", "180 + 3*sin(2*pi*t)")
    run = model.kinematics(0.1, 1.9, 0.01, formulation=formulation)
    assert [event.kind for event in run.events] == ["near_miss"] * 3
    assert [event.t for event in run.events] == pytest.approx([0.5, 1.0, 1.5], abs=1e-6)


def test_a_dwell_close_to_a_dead_point_is_one_near_miss():
    """The crank stops for a while 1 degree before the stretched position, and goes back: one event, not one per row."""
    model = four_bar(0.999, 3, 1, 3)
    model.drivers.clear()
    there, stay, back = Segment("cycloidal", 1.0, 149.0), Segment("dwell", 1.0), Segment("cycloidal", 1.0, -149.0)
    model.driver("crank", "z1.phi", Program((there, stay, back), value=30.0))
    run = model.kinematics(0, 3, 0.01)
    assert [event.kind for event in run.events] == ["near_miss"]


@pytest.mark.parametrize("name", MODELS)
def test_no_shipped_example_is_a_near_miss(name):
    """The worst is the four-bar of Nikravesh: links 4, 4 and |BD| = 1/2 give μ = 7.2 degrees."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = mubo.load(EXAMPLES / f"{name}.toml").kinematics()
    assert not [event for event in run.events if event.kind == "near_miss"]


@pytest.mark.parametrize("name", [name for name in MODELS if "_cam" not in name])
def test_both_formulations_measure_the_same(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    loops, absolute = (model.kinematics(formulation=f, transmission=True) for f in ("auto", "absolute"))
    names = [column for column in loops.columns if column.startswith("transmission.")]
    assert names == [column for column in absolute.columns if column.startswith("transmission.")]
    for column in names:
        size = 1 + np.nanmax(np.abs(loops[column]), initial=0.0)  # angles that no direction has are NaN in both
        np.testing.assert_allclose(loops[column], absolute[column], atol=1e-8 * size)


def coupler_driven(scale: float) -> mubo.Model:
    """A four-bar driven by the angle between coupler and rocker: one group of three equations."""
    model = mubo.Model("coupler driven")
    model.ground.point("A", (0, 0))
    model.ground.point("D", (2.5 * scale, 0))
    for name, at, angle, points in (
        ("crank", (0, 0), 60, {"A": (0, 0), "B": (2, 0)}),
        ("coupler", (1, 1.7), 24, {"B": (0, 0), "C": (4, 0)}),
        ("rocker", (2.5, 0), 57.5, {"D": (0, 0), "C": (4, 0)}),
    ):
        scaled = {key: (scale * x, scale * y) for key, (x, y) in points.items()}
        model.body(name, (scale * at[0], scale * at[1]), math.radians(angle), scaled)
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("B", "crank.B", "coupler.B")
    model.revolute("C", "coupler.C", "rocker.C")
    model.revolute("D", "rocker.D", "ground.D")
    model.driver("motor", "C", "0.58 + 0.3*t")
    return model


def test_larger_groups_are_measured_without_units():
    """The smallest singular value is the same in metres and millimetres, and where it is smallest too."""
    small, large = (coupler_driven(s).kinematics(0, 1, 0.01).summary["transmission"] for s in (1.0, 1000.0))
    assert small["measure"] == "singular_value"
    assert small["group"] == "group of 3 equations of crank, coupler and rocker"
    assert large["minimum"] == pytest.approx(small["minimum"], rel=1e-9)
    assert large["t"] == pytest.approx(small["t"], abs=1e-9)


@pytest.mark.parametrize("name", ["eleven_bar.deck", "indexing_cam.toml"])
def test_the_scaling_of_a_larger_group_is_that_of_the_table_at_any_time(name):
    """A value does not depend on which other times are asked for: scaled by itself, one row has 0.207 for 0.174."""
    run = mubo.load(EXAMPLES / name).kinematics(transmission=True)
    column = next(column for column in run.columns if column.endswith("singular_value"))
    for rows in ([3], [1, 3, 5]):
        again = run.record.between(run["t"][rows]).raw(column)
        np.testing.assert_allclose(again, run[column][rows], rtol=1e-9)


def test_a_larger_group_comes_close_to_its_limit():
    """|BD| cannot exceed 4.5: the angle at C ends at cos γ = (4² + 4² − 4.5²) / (2 · 4 · 4); there σ goes to zero."""
    limit = math.acos((32 - 4.5**2) / 32)
    model = coupler_driven(1.0)
    model.drivers.clear()
    model.driver("motor", "C", f"0.58 + (0.9999*{limit!r} - 0.58)*sin(pi*t)")  # there, and back just before the limit
    run = model.kinematics(0, 1, 0.01)
    (event,) = run.events
    assert event.kind == "near_miss"
    assert event.t == pytest.approx(0.5, abs=1e-6)
    assert "the smallest singular value of group of 3 equations" in event.message
    assert f"below {0.1 / math.sqrt(2) * 2 / 3:.3g};" in event.message  # 2/3: three equations instead of two


def test_a_deck_misses_its_change_point(tmp_path):
    """O'Kins' Type I with the crank short by a thousandth: μ at 180 degrees by the cosine law, and no bifurcation."""
    lengths = (0.999, 2, 1, 2)
    model = four_bar(*lengths, start=170.0).kinematics(0, 0, 1)  # for angles that close
    second, third = model["z2.phi"][0], model["z3.phi"][0]
    cards = (DATA / "okins_type1.deck").read_text().splitlines()
    cards[1] = "".join(f"{value:8.3f}" for value in lengths)
    cards[2] = "".join(f"{value:8.2f}" for value in (170.0, second, third, 180.0))
    path = tmp_path / "missed.deck"
    path.write_text("\n".join(cards) + "\n")
    run = mubo.load(path).kinematics(0, 4, 0.2)
    (event,) = run.events
    assert event.kind == "near_miss"
    assert event.drivers["crank"] == pytest.approx(180, abs=1e-4)
    mu = 180 - math.degrees(math.acos(cosine(*lengths, math.pi)))
    assert run.summary["transmission"]["minimum"] == pytest.approx(mu, abs=1e-6)
    assert run.summary["status"] == "ok"


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("planetary_gear", []),
        ("rack_and_pinion", []),
        ("belt_drive", ["transmission.rod_cylinder.angle"]),
    ],
)
def test_what_always_passes_on_the_same_is_not_measured(name, groups):
    """Wheels, belts and racks have constant ratios: no column, and no group in the summary."""
    run = mubo.load(EXAMPLES / f"{name}.toml").kinematics(transmission=True)
    assert [column.name for column in run.columns.of_kind("transmission")] == groups
    assert len(run.summary["transmission"]["groups"]) == len(groups)


def test_the_advantage_has_the_unit_of_a_force_per_moment_or_of_a_moment_per_force():
    """T ω = F v: F/T = ω/v is one over a length; where a ram drives a lever, T/F = v/ω is a length (Norton, 6.4)."""
    slider = mubo.load(EXAMPLES / "slider_crank.toml").kinematics(advantage="piston.x")
    assert slider.summary["transmission"]["mechanical_advantage"]["unit"] == "1/mm"
    lever = mubo.Model("lever", units={"length": "mm"})
    lever.ground.point("O", (0, 0))
    lever.body("lever", angle=0.5, points={"O": (0, 0), "T": (30, 0)})
    lever.revolute("O", "ground.O", "lever.O")
    lever.ground.point("R", (40, 0))
    length = math.dist((40, 0), (30 * math.cos(0.5), 30 * math.sin(0.5)))
    lever.driver("ram", ("ground.R", "lever.T"), f"{length!r} + 5*t")
    run = lever.kinematics(0, 1, 0.25, advantage="lever.phi")
    assert run.summary["transmission"]["mechanical_advantage"]["unit"] == "mm"
