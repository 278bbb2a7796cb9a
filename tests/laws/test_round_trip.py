"""There and back: a motion that changes its branch in silence is found out, and stepped again with shorter steps.

One unknown follows the driver, x = f, or lies on another branch, x = f + 1. The toy below goes over to that branch in
any step longer than it can follow, and stays there: nothing but the way back, which ends at 1, can tell.
"""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest

from mubo._core import Status
from mubo.model import Units
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.time_grid_refinement import check_reversibility, ending_events

GRID = np.linspace(0, 1, 11)


class Toy:
    """Takes steps of any length; over one longer than `follows` it goes to the other branch and says nothing."""

    chunk = 1

    def __init__(self, follows):
        self.follows = follows

    def solve_at(self, x, motion):
        return Status.done, np.array([x, motion[1:2], motion[2:3]])

    def sweep(self, times, motion, state, part):
        other = state[0] - motion[0, 0] > 0.5 or abs(times[1] - times[0]) > self.follows
        after = np.array([motion[1, :1] + other, motion[1, 1:2], motion[1, 2:3]])
        return Status.done, 1, np.stack([state, after]), np.zeros(2)


def trip_of(follows):
    def motion(t):
        return np.column_stack([t, np.ones_like(t), np.zeros_like(t)])

    way = SimpleNamespace(
        settings=Settings(tolerance=1e-10),
        model=None,
        analysis=SimpleNamespace(
            form=SimpleNamespace(
                model=SimpleNamespace(units=Units(time="s")),
                mechanism=SimpleNamespace(starts=np.zeros(0), motion_factors=np.zeros(0)),
            )
        ),
        stepper=Toy(follows),
        motion=motion,
        state=np.array([[0.0], [1.0], [0.0]]),
        weight=np.ones(1),
        laws=[],
        driver_weight=np.zeros(0),
        regular=lambda state, time: True,
        crossing=lambda cross: cross,
        drivers_at=lambda time: {"motor": time},
    )
    with patch("mubo.solvers.kinematics.time_grid_refinement.of_same_laws", lambda *given: given[-1]()):
        return way, check_reversibility(way, GRID)


@pytest.mark.parametrize("follows", [0.1001, 0.0126, 0.0016])
def test_shorter_steps_keep_the_branch(follows):
    """Rows are 0.1 apart: whole, in eight or in 64 parts the steps are short enough, and x = f at every row."""
    _, trip = trip_of(follows)
    assert (trip.same, trip.apart) == (True, pytest.approx(0, abs=1e-12))
    np.testing.assert_allclose(trip.there.states[:, 0, 0], GRID, atol=1e-12)


def test_a_check_that_stops_early_is_reported_as_such():
    """Backwards the motion ends at t = 0.3: nothing is known of another branch."""
    problem, trip = trip_of(0.001)
    back = replace(trip.back, status=Status.no_convergence, stopped_at=0.3)
    (event,) = ending_events(problem, GRID, replace(trip, back=back))
    assert event.kind == "failure"
    assert "run backwards, the motion stops at t = 0.3 s, before the first row: Newton's method" in event.message
    assert "branch" not in event.message


def test_a_branch_that_is_lost_at_every_step_is_told():
    """Not even 1/64 of a step helps: the run ends 1 away from its start, and says so as a failure."""
    way, trip = trip_of(0.001)
    assert (trip.same, trip.apart) == (False, pytest.approx(1))
    (event,) = ending_events(way, GRID, trip)
    assert (event.kind, event.passed) == ("failure", False)
    assert "the reversibility check fails: run backwards, the motion ends 1 away" in event.message
