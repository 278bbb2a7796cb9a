"""Small motions of every example against ring-downs of its own simulation: λ of every mode, frequency and damping, as
runs beside the reference show it (ring_downs.py). What has no reference says why, by its own words."""

import runpy

import numpy as np
import pytest
from conftest import EXAMPLES
from ring_downs import reference_of, released, root_seen

import mubo
from mubo.solvers.statics import equilibrium_search as search

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
NAMES.remove("crank_press")  # its force jumps with the sense of the ram, which no linear equation follows
# Reasons for which nothing can vibrate, as the model or `linearize` tells them.
REASONS = (
    "no body has a mass",
    "gravity is not stated",
    "there is no equilibrium on",
    "no equilibrium was found",
    "nothing resists its motion",
    "has no inertia",
    "linearize does not know contacts",
)


@pytest.fixture(autouse=True)
def few_starts(monkeypatch):
    """The nearest equilibria will do: fewer places to seek from."""
    monkeypatch.setattr(search, "STARTS", 1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_every_mode_of_every_example(name):
    model = released(mubo.load(EXAMPLES / f"{name}.toml"))
    linear, why = reference_of(model)
    if linear is None:
        assert any(reason in why for reason in REASONS), why
        return
    for mode in linear.modes:
        if mode.root:
            assert abs(root_seen(model, linear, mode) - mode.root) < 2e-6 * abs(mode.root)


def test_hanging_four_bars(form):
    """Two four-bars that hang: a loop with a stable equilibrium where it is drawn, ω² = c g, c = 7 / 6."""
    model = released(runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"](2, lean=np.pi, rate=0.0))
    linear = model.linearize()
    (mode,) = linear.modes
    assert mode.root.imag == pytest.approx(np.sqrt(7 / 6 * 9.81), rel=1e-7)
    assert abs(root_seen(model, linear, mode, form) - mode.root) < 2e-6 * abs(mode.root)


def test_the_equilibrium_is_sought_from_the_initial_conditions():
    """A pendulum drawn hanging and begun almost upright: the equilibrium upright is the nearer one."""
    model = mubo.load(EXAMPLES / "simple_pendulum.toml")
    assert model.linearize().about == "a stable equilibrium"
    model.initial_joints.clear(), model.initial_bodies.clear()
    down = float(model.linearize().values[0])
    model.initial("O", q=down + 3.0)
    linear = model.linearize()
    assert linear.about == "an unstable equilibrium"
    assert abs(np.remainder(linear.values[0] - down, 2 * np.pi) - np.pi) < 1e-9
    at = model.linearize(about="position")
    assert at.about == "the initial position"
    assert at.values[0] == pytest.approx(down + 3.0, abs=1e-12)
