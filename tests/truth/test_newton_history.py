"""Newton iterations of KABIOS' four-bar one by one (Flores 2010, section 7): they end where the run is."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.solvers.kinematics.newton_history import newton_histories


@pytest.mark.parametrize("feps", [1e-2, 1e-6, 1e-10])
def test_the_iteration_ends_below_feps_at_the_position_of_the_run(feps):
    run = mubo.load(EXAMPLES / "kabios_four_bar.dat").kinematics(tolerance=feps, formulation="absolute")
    exact = mubo.load(EXAMPLES / "kabios_four_bar.dat").kinematics()
    for history in newton_histories(run, [0, 10, 40]):
        assert history.violations[-1] <= feps < history.violations[-2]
        names = [f"body{k}.{c}" for k in (2, 3, 4) for c in ("x", "y", "phi")]
        position = [exact[name][np.argmin(np.abs(exact["t"] - history.t))] for name in names]
        assert history.position == pytest.approx(position, abs=100 * feps)  # 1 / sin of the transmission angle < 10


def test_newton_converges_quadratically():
    """Near the solution the violation after an iteration is of the order of the square of the one before."""
    run = mubo.load(EXAMPLES / "kabios_four_bar.dat").kinematics()
    for history in newton_histories(run):
        before, after = history.violations[-3:-1]
        assert after < 10 * before**2


def test_the_number_of_iterations_is_limited():
    run = mubo.load(EXAMPLES / "kabios_four_bar.dat").kinematics(max_iterations=2)
    assert all(len(history.violations) <= 3 for history in newton_histories(run))


def test_a_simulation_has_no_newton_iterations():
    run = mubo.load(EXAMPLES / "simple_pendulum.toml").simulate()
    with pytest.raises(mubo.MuboError, match="only kinematics solves by Newton's method"):
        run.plot(kind="newton-violation")
