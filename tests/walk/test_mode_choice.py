"""Assembly modes as a person asks for them: a table, a picture, JSON, a run in another mode, and wrong questions."""

import json

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

FOUR_BAR = EXAMPLES / "four_bar.toml"
DECK = EXAMPLES / "eleven_bar.deck"


def test_the_table_and_the_picture(command, tmp_path):
    done = command("check", FOUR_BAR, "--modes", "-o", "modes.png")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "modes of four bar at t = 0 s: 2 assembly modes, in 2 circuits",
        "  undriven motor (crank.phi), now 1.047 rad",
        "  mode  circuit  range of motor  other than mode 1",
        "     1        1  full turn",
        "     2        2  full turn       coupler-rocker",
        "  file     modes.png",
    ]
    assert (tmp_path / "modes.png").read_bytes().startswith(b"\x89PNG")


def test_json_has_poses_circuits_and_ranges(command):
    answer = json.loads(command("check", EXAMPLES / "bell_crank.toml", "--modes", "--json").stdout)
    assert answer["status"] == "ok"
    assert [mode["circuit"] for mode in answer["modes"]] == [1, 1]
    (circuit,) = answer["circuits"]
    assert circuit.pop("limits") == pytest.approx([-60, 60])
    assert circuit == {"circuit": 1, "modes": [1, 2], "change_points": []}
    for mode in answer["modes"]:
        assert mode["range"] == pytest.approx([-60, 60])
        assert mode["range_ends"] == ["limit", "limit"]
        assert set(mode["bodies"]) == {"pull", "upright"} | set(mode["bodies"])
        assert all(set(pose) == {"x", "y", "phi"} for pose in mode["bodies"].values())


def test_a_run_starts_in_the_mode_asked_for_in_every_formulation(command, tmp_path):
    model = mubo.load(FOUR_BAR)
    second = model.modes().modes[1]
    runs = [model.kinematics(mode=2, formulation=way) for way in ("loops", "absolute")]
    for run in runs:
        assert run["rocker.phi"][0] == pytest.approx(second.bodies["rocker"][2])
        assert run.summary["mode"] == 2
        assert run.summary["status"] == "ok"
    np.testing.assert_allclose(runs[0]["rocker.alpha"], runs[1]["rocker.alpha"], atol=1e-8)
    assert model.kinematics().summary["mode"] == 1
    done = command("run", FOUR_BAR, "--mode", "2")
    assert done.returncode == 0, done.stderr
    assert "mode            2, an assembly mode other than that of the estimates" in done.stdout
    first_row = (tmp_path / "four_bar_results" / "table.csv").read_text().splitlines()[:2]
    values = dict(zip(first_row[0].split(","), map(float, first_row[1].split(",")), strict=True))
    assert values["rocker.phi [rad]"] == pytest.approx(second.bodies["rocker"][2])


def test_a_limit_of_a_mode_is_where_its_run_stops():
    """The same limit by continuation and by stepping in time until the mechanism locks."""
    model = mubo.load(EXAMPLES / "jansen_leg.toml")
    mode = model.modes().modes[4]
    with pytest.warns(UserWarning, match="locks"):
        run = model.kinematics(0, 1, 0.01, mode=5)
    (event,) = run.events
    assert event.kind == "limit"
    assert event.drivers["motor"] == pytest.approx(mode.high.value, abs=1e-6)


def test_another_driver_is_freed_and_the_rest_is_held(command):
    told = command("check", EXAMPLES / "five_bar.toml", "--modes", "--driver", "right").stdout
    assert "undriven right (right_crank.phi), now 60 deg" in told
    assert "locked   left at 90 deg" in told


def test_gears_racks_and_guided_bodies_have_no_limit():
    for name in ("planetary_gear", "rack_and_pinion", "guided_shank", "scotch_yoke"):
        (mode,) = mubo.load(EXAMPLES / f"{name}.toml").modes().modes
        assert mode.low.kind in ("turn", "endless")


def test_a_model_without_loops_has_one_mode():
    model = mubo.Model("pendulum")
    model.ground.point("O", (0, 0))
    model.body("arm", (0, 0), 0.3, {"O": (0, 0), "tip": (1, 0)})
    model.revolute("O", "ground.O", "arm.O")
    model.driver("swing", "arm.phi", "0.3*cos(t)")
    (mode,) = model.modes().modes
    assert mode.full_turn


def test_a_structure_stands_in_two_ways():
    model = mubo.Model("truss")
    for name, x in (("A", 0), ("B", 2)):
        model.ground.point(name, (x, 0))
    model.body("left", (0, 0), 0.9, {"A": (0, 0), "C": (1.5, 0)})
    model.body("right", (2, 0), 2.2, {"B": (0, 0), "C": (1.5, 0)})
    for name, first, second in (("A", "ground", "left"), ("B", "ground", "right"), ("C", "left", "right")):
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    report = model.modes()
    assert len(report.modes) == 2
    assert "locked" in str(report)


def three_cranks():
    """A parallelogram with a third crank: one pin repeats what the others impose."""
    model = mubo.Model("three cranks")
    model.body("bar", (0.6, 0.8), 0.0, {str(k): (k, 0) for k in range(3)})
    for k in range(3):
        model.ground.point(f"G{k}", (k, 0))
        model.body(f"crank{k}", (k, 0), 0.9272952180016122, {"G": (0, 0), "E": (1, 0)})
        model.revolute(f"G{k}", f"ground.G{k}", f"crank{k}.G")
        model.revolute(f"E{k}", f"crank{k}.E", f"bar.{k}")
    model.driver("motor", "crank0.phi", 0.9272952180016122)
    return model


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("check", EXAMPLES / "tappet_cam.toml", "--modes"), 1, "joint contact is a cam that moves a flat face"),
        (("check", FOUR_BAR, "--modes", "--driver", "moter"), 1, 'no driver "moter". Did you mean "motor"?'),
        (("check", FOUR_BAR, "--modes", "-o", "modes.txt"), 1, "the ending must be .png, .svg, .pdf"),
        (("check", FOUR_BAR, "--modes", "--loops"), 2, "ask for one at a time"),
        (("check", FOUR_BAR, "--driver", "motor"), 2, "--driver goes with --modes"),
        (("kinematics", FOUR_BAR, "--mode", "3"), 1, "there is no mode 3: the mechanism has 2 modes"),
        (("run", FOUR_BAR, "--mode", "3"), 1, "`mubo check MODEL --modes` lists them"),
        (("kinematics", FOUR_BAR, "--mode", "0"), 2, "--mode"),
        (("check", EXAMPLES / "five_body_chain.toml", "--modes"), 1, "planar models; this one is spatial"),
        (("kinematics", DECK, "--mode", "99"), 1, "there is no mode 99"),
        (("kinematics", EXAMPLES / "tappet_cam.toml", "--mode", "2"), 1, "vector loops, which this model has not"),
    ],
)
def test_wrong_questions(command, words, code, said):
    done = command(*words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_redundant_constraints_are_named():
    with pytest.raises(mubo.ModelError, match=r"independent: joint .* already impose") as error:
        three_cranks().modes()
    assert "mubo check" in error.value.suggestion


def test_a_mode_below_one_is_refused_in_python():
    with pytest.raises(mubo.ModelError, match="mode must be at least 1; found 0"):
        mubo.load(FOUR_BAR).kinematics(mode=0)


def test_too_many_modes_are_refused():
    """A chain of nine four-bars, each driven by the rocker before it: 2⁹ ways."""
    model = mubo.Model("chain")
    before = "crank"
    model.ground.point("G", (0, 0))
    model.body("crank", (0, 0), 1.0, {"G": (0, 0), "E": (1, 0)})
    model.revolute("G", "ground.G", "crank.G")
    for k in range(9):
        model.ground.point(f"G{k}", (3.0 * (k + 1), 0))
        c, s = np.cos(1.0), np.sin(1.0)
        model.body(f"bar{k}", (3.0 * k + c, s), 0.0, {"a": (0, 0), "b": (3, 0)})
        model.body(f"rocker{k}", (3.0 * (k + 1), 0), 1.0, {"G": (0, 0), "E": (1, 0)})
        model.revolute(f"A{k}", f"{before}.E", f"bar{k}.a")
        model.revolute(f"B{k}", f"bar{k}.b", f"rocker{k}.E")
        model.revolute(f"G{k}", f"ground.G{k}", f"rocker{k}.G")
        before = f"rocker{k}"
    model.driver("motor", "crank.phi", 1.0)
    with pytest.raises(mubo.ModelError, match="more than 256 assembly modes"):
        model.modes()


@pytest.mark.parametrize("value", [100.0, 100.00001, 199.99999, 200.0])
def test_a_start_at_a_limit_knows_its_range(value):
    """r = 50, l = 150: the piston goes from 100 to 200, where both modes fall together."""
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    model.drivers.clear()
    model.driver("push", "cylinder", value)
    report = model.modes()
    assert len(report.circuits) == 1
    for mode in report.modes:
        assert (mode.low.value, mode.high.value) == pytest.approx((100, 200), abs=1e-6)


def test_a_group_that_turns_freely_leaves_no_mode_and_says_so(command, tmp_path):
    """Beside a wheel as large as this nothing is left of what the ring says: planet and arm follow the sun alone."""
    text = (EXAMPLES / "planetary_gear.toml").read_text()
    assert "teeth = [20, 80]" in text
    (tmp_path / "m.toml").write_text(text.replace("teeth = [20, 80]", "teeth = [18014398509481986, 80]"))
    done = command("check", "m.toml", "--modes")
    assert done.returncode == 0, done.stderr
    assert "0 assembly modes" in done.stdout
    assert "angle of planet and angle of arm can turn freely in 1 solution of the groups" in done.stdout
