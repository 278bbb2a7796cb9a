"""Output times by what a driver moves: the same rows as by time, in the file, in Python and on the command line."""

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import EXAMPLES

import mubo
from mubo.cli.main import cli
from mubo.quantities.output_times import OutputTimes

FOUR_BAR = EXAMPLES / "four_bar.toml"  # its crank turns at 2π rad/s: one turn a second
MOTION = 'motion = "pi/3 + 2*pi*t"'


def written(path, *, motion=MOTION, analysis="", of='of = "crank.phi"'):
    """The four-bar with another motion and another [analysis]."""
    text = FOUR_BAR.read_text()
    text = text.partition("[analysis]")[0].replace(MOTION, motion).replace('of = "crank.phi"', of)
    path.write_text(text + (f"[analysis]\n{analysis}\n" if analysis else ""))
    return path


def ram(analysis=""):
    """A block on a rail that moves by t² units of length."""
    model = mubo.Model("ram", units={"length": "mm", "time": "s"})
    model.ground.point("A", (0, 0))
    model.body("block", points={"B": (0, 0)})
    model.translational("rail", "ground.A", "block.B", axis=(1, 0), angle=0)
    model.driver("ram", "rail", "t**2")
    return model


def same_rows(one, two):
    assert len(one) == len(two)
    for name in one.columns:
        size = max(1.0, float(np.max(np.abs(one[name]))))
        np.testing.assert_allclose(one[name], two[name], rtol=0, atol=1e-11 * size, err_msg=name)


def test_one_turn_by_degrees_has_the_rows_of_one_second():
    model = mubo.load(FOUR_BAR)
    turn = model.kinematics(end="1 rev", step="1 deg")
    assert len(turn) == 361
    same_rows(turn, model.kinematics(0, 1, step=1 / 360))
    np.testing.assert_allclose(np.diff(turn["motor.value"]), np.radians(1), atol=1e-12)


@pytest.mark.parametrize("law", ["t + t^2", "2*pi*t + 0.5*sin(2*pi*t)", "where(t < 1, t, 1 + 3*(t - 1))", "-t - t**3"])
def test_rows_over_a_driver_are_at_equal_steps_of_its_law(law, tmp_path):
    """Whatever the law, the driver's value at the rows is k · step in the sense of its motion: the definition."""
    model = mubo.load(written(tmp_path / "m.toml", motion=f'motion = "{law}"'))
    run = model.kinematics(start="10 deg", end="1.5 rev", step="7 deg", over="motor")
    moved = np.degrees(np.abs(run["motor.value"]))
    np.testing.assert_allclose(moved[:-1], 10 + 7 * np.arange(len(run) - 1), atol=1e-11)
    assert moved[-1] == pytest.approx(540, abs=1e-11)


def test_each_of_start_end_and_step_may_be_a_time_or_a_travel():
    model = mubo.load(FOUR_BAR)
    by_time = model.kinematics(0.25, 1, step=0.05)
    for given in ({"start": "90 deg", "end": "1 rev", "step": 0.05}, {"start": 0.25, "end": 1, "step": "18 deg"}):
        same_rows(by_time, model.kinematics(**given))


def test_plain_numbers_over_a_driver_are_in_its_unit():
    run = ram().kinematics(end=9, step=1, over="ram")
    np.testing.assert_allclose(run["t"], np.sqrt(np.arange(10)), atol=1e-14)  # value = t²
    same_rows(run, ram().kinematics(end="9 mm", step="0.1 cm"))


def test_a_list_of_times_or_positions():
    model = mubo.load(FOUR_BAR)
    run = model.kinematics(at=[0, 0.1, 0.25])
    assert run["t"].tolist() == [0, 0.1, 0.25]
    np.testing.assert_allclose(model.kinematics(at=["0 deg", "36 deg", "90 deg"])["t"], run["t"], atol=1e-15)
    np.testing.assert_allclose(run["P.x"], [model.kinematics(t, t, 1)["P.x"][0] for t in run["t"]], atol=1e-12)
    assert model.kinematics(at=0.3)["t"].tolist() == [0.3]


@pytest.mark.parametrize("study", ["kinematics", "inverse", "statics", "simulate"])
def test_every_study_takes_a_turn_and_a_list(study):
    model = mubo.load(EXAMPLES / "engine.toml")  # 1500 rpm: a turn in 40 ms
    ask = getattr(model, study)
    same_rows(ask(end="0.25 rev", step="30 deg"), ask(0, 0.01, 0.04 / 12))
    assert ask(at=["0 deg", "45 deg"])["t"] == pytest.approx([0, 0.005], abs=1e-15)


def test_the_file_and_the_command_line_say_the_same(tmp_path):
    asked = 'type = "kinematics"\nend = "1 rev"\nstep = "30 deg"\nover = "motor"'
    file = written(tmp_path / "turn.toml", analysis=asked)
    run = mubo.load(file).kinematics()
    assert len(run) == 13
    mubo.load(file).save(tmp_path / "copy.toml")
    assert mubo.load(tmp_path / "copy.toml").analysis == mubo.load(file).analysis
    assert 'end = "1 rev"' in (tmp_path / "copy.toml").read_text()
    options = ["--end", "1 rev", "--step", "30 deg", "--over", "motor", "-o", str(tmp_path / "t.csv")]
    answer = CliRunner().invoke(cli, ["kinematics", str(FOUR_BAR), *options])
    assert answer.exit_code == 0, answer.output
    assert len(mubo.compare(tmp_path / "t.csv", run).t) == 13
    listed = CliRunner().invoke(cli, ["kinematics", str(FOUR_BAR), "--at", "0,90 deg,0.5", "-o", "-"])
    assert [line.partition(",")[0] for line in listed.output.splitlines()] == ["t [s]", "0.0", "0.25", "0.5"]


def test_an_end_given_replaces_a_list_of_the_file_and_a_list_its_end(tmp_path):
    model = mubo.load(written(tmp_path / "m.toml", analysis="at = [0, 0.5]"))
    assert model.kinematics()["t"].tolist() == [0, 0.5]
    assert model.kinematics(end=1, step=0.5)["t"].tolist() == [0, 0.5, 1]
    assert mubo.load(FOUR_BAR).kinematics(at=[0.125])["t"].tolist() == [0.125]


def test_without_analysis_a_driver_makes_one_turn_by_degrees(tmp_path):
    model = mubo.load(written(tmp_path / "m.toml", motion="motion = { rate = '-30 rpm' }"))
    run = model.kinematics()
    assert len(run) == 361
    assert run["t"][-1] == pytest.approx(2)  # 30 turns a minute
    assert len(model.kinematics(end=1)) == 101  # an end alone is enough
    assert model.plot() is not None


def test_a_turn_follows_the_parameter_that_sets_the_speed(tmp_path):
    file = written(tmp_path / "m.toml", motion='motion = "2*pi*n*t"', analysis='end = "1 rev"\nstep = "90 deg"')
    file.write_text(file.read_text().replace("[body.ground]", "[parameters]\nn = 1\n\n[body.ground]"))
    model = mubo.load(file)
    assert model.kinematics()["t"][-1] == pytest.approx(1)
    assert model.replace(n=4).kinematics()["t"][-1] == pytest.approx(0.25)


REFUSED = {
    "a driver that reverses": (
        "sin(t)",
        {"end": "1 rev"},
        "driver motor: it reverses at t = 1.57.*never gets to 6.283",
    ),
    "a driver that rests": ("1 + 0*t", {"end": "1 rev"}, "driver motor: it never gets to 6.283 rad"),
    "a driver that ends": ("1 - exp(-t)", {"end": "90 deg"}, "driver motor: it never gets to 1.571 rad"),
    "an unknown driver": ("t", {"end": "1 rev", "over": "moter"}, 'no driver "moter".*motor'),
    "a length of an angle": ("t", {"end": "1 mm", "over": "motor"}, '"1 mm" is a length, but driver motor moves by an'),
    "no such driver": ("t", {"end": "1 mm"}, '"1 mm" is what a driver moves, but no driver moves by a length'),
    "a list and an end": ("t", {"end": 1, "at": [0, 1]}, "at lists all rows: leave out end, or at"),
    "a list that goes back": ("t", {"at": [1, 0]}, "at must increase, but t = 0 s comes after t = 1 s"),
    "an area": ("t", {"end": "3 mm^2"}, "end must be a time, but 3 mm.2 has the unit mm"),
    "a negative travel": ("t", {"end": "-1 rev"}, "counted in the sense of its motion"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_with_a_sentence(what, tmp_path):
    law, given, message = REFUSED[what]
    model = mubo.load(written(tmp_path / "m.toml", motion=f'motion = "{law}"'))
    with pytest.raises(mubo.ModelError, match=message):
        model.kinematics(**{"step": 0.1, **given} if "at" not in given else given)


def test_two_drivers_have_to_be_named():
    model = mubo.load(EXAMPLES / "five_bar.toml")
    with pytest.raises(
        mubo.ModelError, match=r'"1 rev" is what a driver moves, and there are 2: left, right\s+Name it: over = "left"'
    ):
        model.kinematics(end="1 rev", step="1 deg")


def test_a_simulation_needs_an_end():
    model = mubo.load(EXAMPLES / "released_four_bar.toml")
    model.analysis = None
    with pytest.raises(mubo.ModelError, match="end is missing"):
        model.simulate()


def test_half_the_step_keeps_the_rows_and_an_earlier_end_is_the_last():
    for times in (OutputTimes(0.0, 1.0, 0.3), OutputTimes.listed(np.array([0.0, 0.1, 0.7]))):
        assert set(times.grid().round(12)) <= set(times.halved().grid().round(12))
        assert times.until(0.65).grid()[-1] == 0.65


def test_a_verification_holds_over_a_list():
    assert mubo.load(FOUR_BAR).kinematics(at=["0 deg", "10 deg", "45 deg", "90 deg"]).verify().holds


def test_the_page_states_a_command_that_gives_the_same_rows(tmp_path):
    mubo.load(FOUR_BAR).kinematics(at=[0, 0.1, 0.25]).report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "--at 0,0.1,0.25" in text
    assert "at=[0,0.1,0.25]" in text


CRANK = """
name = "crank"
[parameters]
n = "2 rad/s"
[body.ground]
points = { A = [0, 0] }
[body.crank]
points = { A = [0, 0], B = [0.1, 0] }
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[driver.motor]
of = "crank.phi"
motion = "n*t"
[point.P]
body = "crank"
at = [0.1, 0]
[analysis]
type = "kinematics"
end = "0.75 rev"
"""


def crank(path):
    path.write_text(CRANK)
    return mubo.load(path)


def test_every_variant_of_a_sweep_has_its_own_turn(tmp_path):
    """Three quarters of a turn at any speed n: the angle that is made is the same, and its time is 1.5 π/n."""
    found = crank(tmp_path / "m.toml").sweep({"n": [1.0, 2.0, 4.0]}, ["range crank.phi", "last P.y", "last P.vx"])
    np.testing.assert_allclose(found["range crank.phi"], 1.5 * np.pi, rtol=1e-12)
    np.testing.assert_allclose(found["last P.y"], -0.1, rtol=1e-12)
    np.testing.assert_allclose(found["last P.vx"], 0.1 * np.array([1.0, 2.0, 4.0]), rtol=1e-9)


def test_derivatives_know_that_a_faster_driver_ends_its_turn_earlier(tmp_path):
    """Over 0.75 turn φ = n t: r cos φ has the mean r sin φ_end/φ_end at any n, velocities grow in proportion to n."""
    names = ["range crank.phi", "last P.x", "mean P.x", "rms P.y", "last P.vx", "mean P.vx"]
    found = crank(tmp_path / "m.toml").sensitivity(names, ["n"])
    slopes = [0, 0, 0, 0, 0.1, found.values[5] / 2]
    np.testing.assert_allclose(found.derivatives[:, 0], slopes, atol=1e-9)


def test_a_driver_that_is_left_undriven_has_no_travel():
    model = mubo.load(EXAMPLES / "loaded_four_bar.toml")
    with pytest.raises(mubo.ModelError, match='"1 rev" is what driver hold moves, but it is left undriven'):
        model.simulate(end="1 rev", free="hold")
    with pytest.raises(mubo.ModelError, match="over is what driver hold moves, but it is left undriven"):
        model.simulate(end=1, over="hold", free="hold")


@pytest.mark.parametrize("option", ["start", "end", "step"])
def test_a_message_names_the_option_once(option, tmp_path):
    for text, reason in (("soon", r': expected a number, or text such as "1 s"'), ("1 kg", " must be a time")):
        with pytest.raises(mubo.ModelError, match=f"^{option}{reason}"):
            mubo.load(FOUR_BAR).kinematics(**{option: text})
        with pytest.raises(mubo.ModelError) as refused:
            mubo.load(written(tmp_path / "m.toml", analysis=f'type = "kinematics"\n{option} = "{text}"'))
        assert str(refused.value).count(option) == 1
