"""mubo linearize as a person uses it: the table of modes, files, state space, and what is refused."""

import json
import math
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT

import mubo
from mubo.analyses.linearize import reference
from mubo.describe.linearization import _shape
from mubo.solvers.statics import static_problem as rest
from mubo.view.film import Film, FilmSettings

MODES = ROOT / "tests" / "data" / "modes"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for path in MODES.glob("*.toml"):
        shutil.copy(path, tmp_path)
    shutil.copy(ROOT / "examples" / "loaded_four_bar.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_of_modes_and_files(folder, command):
    done = command("linearize", "governor.toml", "--about", "steady", "-o", "modes.json", "-o", "modes.npz")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1].startswith("about           a steady motion: lift.q = 0.623 m")
    assert "mode 1          0.8296 Hz (5.213 rad/s)" in done.stdout
    written = json.loads((folder / "modes.json").read_text())
    assert written["dofs"] == ["lift.q", "hinge1.q", "hinge2.q"]
    assert written["modes"][0]["eigenvalue"][1] == pytest.approx(5.212817673, rel=1e-7)
    with np.load(folder / "modes.npz") as arrays:
        assert arrays["A"].shape == (6, 6)
        assert list(arrays["dofs"]) == written["dofs"]
        assert arrays["K"] == pytest.approx(np.array(written["K"]))


def test_a_summary_for_programs(folder, command):
    done = command("linearize", "loaded_four_bar.toml", "--free", "hold", "--at", "hold=200 deg", "--json")
    summary = json.loads(done.stdout)
    assert summary["status"] == "ok"
    assert summary["about"] == "a stable equilibrium"
    assert summary["modes"][0]["does"] == "vibrates"
    done = command("linearize", "loaded_four_bar.toml", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "failed"


def test_an_equilibrium_by_its_number(folder):
    model = mubo.load("loaded_four_bar.toml")
    run, third = model.statics(free="hold"), model.linearize(free="hold", equilibrium=3)
    assert third.values[0] == pytest.approx(math.radians(run["A.q"][2]), abs=1e-9)
    assert third.K[0, 0] == pytest.approx(run.summary["equilibria"][2]["stiffness_of"]["A.q"], rel=1e-8)
    with pytest.raises(mubo.ModelError, match="there is no equilibrium 99"):
        model.linearize(free="hold", equilibrium=99)


def test_a_transfer_function_is_that_of_statics_and_of_the_formula(folder):
    """At no frequency the force over the stiffness; a frame answers a force at its origin by (K + iωC − ω²M)⁻¹."""
    model = mubo.load("frame_on_springs.toml")
    model.force("push", "point_force", "frame.s1", direction=(0, 1), force=0)
    model.measure("height", value="frame.y")
    linear = model.linearize()
    space = linear.state_space("push", ["frame.y", "height", "height.rate", "frame.ay"])
    frequency, omega = 2.0, 4 * math.pi
    turned = linear.values[2]
    arm = -0.5 * math.cos(turned) - 0.1 * math.sin(turned)  # x of the point from the origin of the frame
    force = np.array([0, 1, arm])
    wanted = np.linalg.solve(linear.K + 1j * omega * linear.C - omega**2 * linear.M, force)[1]
    found = space.response([frequency])[0][:, 0]
    assert found == pytest.approx(wanted * np.array([1, 1, 1j * omega, -(omega**2)]), rel=1e-8)
    assert space.transfer(0)[0, 0] == pytest.approx(np.linalg.solve(linear.K, force)[1], rel=1e-8)
    scipy = linear.to_scipy("push", "frame.y")
    assert scipy.C @ np.linalg.solve(1j * omega * np.eye(6) - scipy.A, scipy.B) == pytest.approx(wanted, rel=1e-8)


def test_a_mode_moves_the_mechanism_along_its_shape(folder, command):
    linear = mubo.load("double_pendulum.toml").linearize()
    run = linear.motion(2, amplitude=1e-4, cycles=1)
    shape = linear.shape(2, ["bar1.phi", "bar2.phi"])
    for name in shape:
        largest = abs(linear.columns[name][0] @ linear.modes[1].shape)
        assert np.ptp(run[name]) / 2 == pytest.approx(1e-4 * largest, rel=1e-2)
    assert run["t"][-1] == pytest.approx(1 / linear.frequencies[1], rel=1e-12)
    done = command("linearize", "double_pendulum.toml", "-o", "mode.gif", "--vibration-mode", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["files"] == ["mode.gif"]
    assert (folder / "mode.gif").stat().st_size > 1000


def test_as_drawn_tells_what_is_not_in_balance(folder, command):
    done = command("linearize", "double_pendulum.toml", "--about", "position")
    assert done.returncode == 0
    assert "not an equilibrium: the loads accelerate O.q by" in done.stdout


def test_coulomb_friction_is_told(folder):
    model = mubo.load("double_pendulum.toml")
    model.force("rub", "friction", "O", coulomb=0.1, radius=0.01, viscous=0.5)
    linear = model.linearize(dofs=["bar1.phi", "bar2.phi"])
    assert linear.C[0, 0] == pytest.approx(0.02 + 0.01 + 0.5, rel=1e-8)
    assert "rub: the Coulomb part is left out" in linear.notes[0]
    model = mubo.load("governor.toml")
    model.force("rub", "friction", "lift", effort=3)
    with pytest.raises(mubo.ModelError, match="Coulomb friction has no derivative"):
        model.linearize(about="steady")


def massless(model):
    for name in ("mass", "inertia"):
        model = model.replace(f"bar2.{name}", 0)
    return model


BAD = {
    "no inertia": (
        lambda m: massless(m).linearize(),
        mubo.ModelError,
        "degree of freedom P.q has no inertia: bar2 can move",
    ),
    "a wrong word": (
        lambda m: m.linearize(about="rest"),
        mubo.ModelError,
        "about must be equilibrium or position or steady",
    ),
    "a wrong coordinate": (lambda m: m.linearize(dofs="bar3.phi"), mubo.ModelError, '"bar3.phi" is no coordinate'),
    "too many coordinates": (
        lambda m: m.linearize(dofs=["O.q", "P.q", "bar2.phi"]),
        mubo.ModelError,
        '"bar2.phi" is no coordinate that determines a free motion',
    ),
    "a wrong driver": (
        lambda m: m.linearize(at={"motor": 1}),
        mubo.ModelError,
        'there is no driver and no joint "motor"',
    ),
    "a wrong column": (lambda m: m.linearize().state_space("O.q", "bar1.z"), mubo.ResultError, "there is no column"),
    "a wrong input": (lambda m: m.linearize().state_space("visc1"), mubo.ResultError, "no load with a law"),
    "a rate as an input": (lambda m: m.linearize().state_space("O.v"), mubo.ResultError, "along which an effort acts"),
    "a wrong ending": (lambda m: m.linearize().save("modes.csv"), mubo.ResultError, "the ending must be .json, .npz"),
    "a wrong mode": (lambda m: m.linearize().shape(3), mubo.ResultError, "there is no mode 3"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_by_name(what, folder):
    ask, error, words = BAD[what]
    with pytest.raises(error, match=words):
        ask(mubo.load("double_pendulum.toml"))


def test_what_is_never_in_balance_has_no_equilibrium(folder, command):
    text = (
        folder / "double_pendulum.toml"
    ).read_text() + '\n[force.push]\ntype = "body_torque"\nbody = "bar1"\ntorque = 99\n'
    (folder / "pushed.toml").write_text(text)
    done = command("linearize", "pushed.toml")
    assert done.returncode == 3
    assert "no equilibrium" in done.stderr


def test_a_driven_deck_cannot_vibrate():
    with pytest.raises(mubo.RedundancyError, match="nothing can vibrate"):
        mubo.load(ROOT / "examples" / "eleven_bar.deck").linearize()


def test_a_long_mechanism_is_linearised_by_sparse_factors_alike(monkeypatch):
    """The same M, C and K; a chain of too many degrees of freedom is refused with their number."""
    model = mubo.load(ROOT / "examples" / "loaded_four_bar.toml")
    dense = model.linearize(free=list(model.drivers), about="position")
    monkeypatch.setattr(rest, "MANY", 0)
    sparse = model.linearize(free=list(model.drivers), about="position")
    for one, two in ((dense.M, sparse.M), (dense.C, sparse.C), (dense.K, sparse.K)):
        assert two == pytest.approx(one, rel=1e-8, abs=1e-8)
    monkeypatch.setattr(reference, "MOST_NUMBERS", 10)
    with pytest.raises(mubo.ModelError, match=r"linearising \d+ degrees of freedom? of \d+ bod"):
        model.linearize(free=list(model.drivers), about="position")


def test_a_rate_of_a_driven_joint_is_not_used():
    """An arm on a shaft that turns with Ω: I θ̈ = (Ω² (I_y − I_z + m l²) − m g l) θ with I = 0.35, l = 0.5."""
    model = mubo.Model("shaft", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("shaft", points={"O": (0, 0, 0)}, mass=1, inertia=(0.1, 0.1, 0.1))
    model.body("arm", points={"P": (0, 0, 0.5)}, mass=1, inertia=(0.1, 0.1, 0.01))
    model.revolute("S", "ground.O", "shaft.O", axis=(0, 0, 1))
    model.revolute("P", "shaft.O", "arm.P", axis=(1, 0, 0))
    model.driver("motor", "S", "3*t")
    model.initial("S", 0.0, 3.0)
    linear = model.linearize(about="steady")
    wanted = np.sqrt((9.81 * 0.5 - 9 * (0.1 - 0.01 + 0.25)) / 0.35) / (2 * np.pi)
    assert linear.modes[0].frequency == pytest.approx(wanted, rel=1e-7)
    assert "joint S: is driven; its initial condition is not used" in linear.notes


def test_a_file_does_not_list_files(command, tmp_path):
    done = command("linearize", ROOT / "examples" / "simple_pendulum.toml", "-o", "modes.json", "--json")
    assert json.loads(done.stdout)["files"] == ["modes.json"]
    assert "files" not in json.loads((tmp_path / "modes.json").read_text())


def test_a_component_out_of_phase_is_written_with_its_phase():
    """i lies a quarter turn ahead; −1/2 is in phase with its sign."""
    shape = np.array([1.0, 0.5j, -0.5, -0.25j])
    linear = SimpleNamespace(dofs=("a", "b", "c", "d"))
    assert _shape(linear, SimpleNamespace(shape=shape)) == "a 1, b 0.5 at 90 deg, c −0.5, d 0.25 at −90 deg"


def test_modes_are_drawn_with_their_numbers(tmp_path):
    """The picture of all modes and the film of one name frequency and damping; the rest position is behind them."""
    linear = mubo.load(ROOT / "examples" / "loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
    figure = linear.plot(tmp_path / "modes.png")
    words = figure.axes[0].get_title(loc="left") or figure.axes[0].get_title()
    mode = linear.modes[0]
    assert words.startswith("mode 1: ")
    assert f"{mode.frequency:.4g} Hz" in words
    assert "damping ratio" in words
    swing = linear.motion(1, cycles=1)
    film = Film(swing, FilmSettings(fps=2, speed=float(swing["t"][-1]), size=(200, 160)))
    assert words in film.figure.axes[0].get_title(loc="left")
    still = linear.motion(1, amplitude=1e-12, cycles=1)  # an amplitude of nothing is the rest position
    for name in ("coupler.x", "rocker.phi"):
        assert swing.record.mode.rest[name][0] == pytest.approx(still[name][0], abs=1e-9)
