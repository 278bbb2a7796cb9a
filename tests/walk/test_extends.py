"""A native file that extends another one: what is added, what is replaced, and what would change its meaning."""

import shutil

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.errors import ModelError


@pytest.fixture
def folder(tmp_path):
    for name in ("type1.deck", "four_bar.toml", "kabios_four_bar.dat"):
        shutil.copy(EXAMPLES / name, tmp_path)
    return tmp_path


def extending(folder, text, name="x.toml"):
    (folder / name).write_text(text)
    return mubo.load(folder / name)


def test_a_deck_gets_masses_and_gravity(folder):
    """The parallelogram of Type I: the torque is (½ crank + coupler + ½ rocker) g cos θ at a constant rate."""
    text = 'extends = "type1.deck"\nunits = { length = "m" }\ngravity = [0, -9.81]\n'
    for name, mass in (("crank", 2), ("link1", 3), ("link2", 4)):
        text += f"[body.{name}]\nmass = {mass}\ninertia = 0.1\ncenter = [{1 if name == 'link1' else 0.5}, 0]\n"
    run = extending(folder, text).inverse(0, 1.6, 0.4)
    np.testing.assert_allclose(run["crank.effort"], 6 * 9.81 * np.cos(np.radians(170 + 5 * run["t"])), rtol=1e-9)


def test_parameters_and_motion_are_replaced(folder, recwarn):
    """Another length, and a law that does not use the rate of the cards: nothing is said about the cards' own."""
    model = extending(
        folder, 'extends = "type1.deck"\n[parameters]\nr2 = 2.5\n[driver.crank]\nmotion = "170 + 2*sin(t)"\n'
    )
    assert model.name == "x"
    assert model.parameters["r2"].value == 2.5
    run = model.kinematics(0, 1, 0.5)
    np.testing.assert_allclose(run["crank.value"][:3], 170 + 2 * np.sin(run["t"][:3]), rtol=1e-12)
    assert not [str(w.message) for w in recwarn if "nothing uses" in str(w.message)]


def test_points_are_added_and_the_analysis_is_replaced(folder):
    model = extending(
        folder,
        'extends = "four_bar.toml"\n[body.coupler]\npoints = { Q = [0.1, 0.2] }\n[analysis]\ntype = "kinematics"\n'
        "start = 0\nend = 0.1\nstep = 0.05\n",
    )
    base = mubo.load(folder / "four_bar.toml")
    assert model.bodies["coupler"].points == {**base.bodies["coupler"].points, "Q": (0.1, 0.2)}
    assert dict(model.analysis.options) == {"start": 0, "end": 0.1, "step": 0.05}


def test_every_kind_can_be_extended_twice(folder):
    """A KABIOS file by JSON, and that by TOML."""
    extending(folder, '{ "extends": "kabios_four_bar.dat", "body": { "body2": { "mass": 2 } } }', "y.json")
    model = extending(folder, 'extends = "y.json"\ngravity = [0, -9.81]\n')
    assert model.bodies["body2"].mass == 2
    assert model.drivers.keys() == mubo.load(folder / "kabios_four_bar.dat").drivers.keys()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('extends = "none.deck"', "there is no file"),
        ("extends = 3", 'name of a model file such as "eleven_bar.deck"'),
        ('extends = "x.toml"', "a file cannot extend itself: x.toml extends x.toml"),
        ('extends = "type1.deck"\nunits = { angle = "rad" }', 'angle is "rad" here, and the numbers of type1.deck are'),
        ('extends = "type1.deck"\nunits = { time = "ms" }', 'time is "ms" here'),
        ('extends = "type1.deck"\n[body.crnk]\nmas = 3', 'line 3: body crnk: there is no key "mas"'),
    ],
)
def test_refusals(folder, text, words):
    with pytest.raises(ModelError, match=words.replace("[", r"\[")):
        extending(folder, text)


def test_wrong_cards_are_reported_with_their_lines(folder):
    """A deck whose loop is open has no bodies that a file could add to."""
    text = (folder / "type1.deck").read_text().replace("2  0  3  0", "2  0 -3  0")
    (folder / "open.deck").write_text(text)
    with pytest.raises(ModelError, match="line 5: loop 1"):
        extending(folder, 'extends = "open.deck"\n')


def test_an_example_is_copied_with_what_it_extends(command, tmp_path):
    for name in ("eleven_bar_design", "eleven_bar_two_drivers"):
        done = command("examples", name)
        assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} >= {"eleven_bar.deck", "eleven_bar_loads.toml"}
    mubo.load(tmp_path / "eleven_bar_design.toml")


def test_a_program_whose_times_are_parameters_has_no_exact_derivatives(folder):
    """The value and rise of a program may depend on a parameter, its times may not: that is refused, not guessed."""
    model = extending(
        folder,
        'extends = "type1.deck"\n[parameters]\nT = 4\n[driver.crank]\n'
        'motion = { program = [{ law = "cycloidal", lasts = "T", rise = 5 }], value = 170 }\n',
    )
    with pytest.raises(ModelError, match="a parameter that its times depend on"):
        model.sensitivity(["range z3.theta"], ["T"], 0, 1, 0.5)
