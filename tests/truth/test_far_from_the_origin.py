"""A mechanism far from the origin moves as it does there, as well as its coordinates have digits left.

Coordinates of size D have digits down to ε D, ε = 2.2e-16; angles of links of about one length know as much.
"""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

EPSILON = float(np.finfo(float).eps)


def moved_model(by: float) -> mubo.Model:
    """The four-bar of KABIOS with its frame, and all that is drawn, moved along x."""
    model = mubo.load(EXAMPLES / "kabios_four_bar.dat")
    for name, body in model.bodies.items():
        if name != "ground":
            model = model.replace(f"{name}.position", (body.position[0] + by, body.position[1]))
    return model


def moved(by: float) -> mubo.Run:
    """The motion of the moved four-bar."""
    return moved_model(by).kinematics(0, 1, 0.1)


@pytest.mark.parametrize("far", [1e4, 1e8, 1e9, 1e10, 1e11])
def test_rounding_is_no_other_branch(far):
    near, away = moved(0.0), moved(far)
    assert away.summary["status"] == "ok"
    for name in ("body2.phi", "body3.phi", "body4.phi"):
        np.testing.assert_allclose(away[name], near[name], atol=10 * EPSILON * far)


def test_a_way_of_very_many_sub_steps_ends_with_words(monkeypatch):
    """The bound is smaller here, to wait less: a lock takes more than ten sub-steps to be located."""
    for name, most in (("MAX_SUB_STEPS_OF_RUN", 10), ("MAX_SUB_STEPS_PER_ROW", 0)):
        monkeypatch.setattr(import_module("mubo.solvers.continuation.continuation"), name, most)
    with pytest.warns(UserWarning, match="it takes more steps than allowed"):
        run = mubo.load(EXAMPLES / "type2.deck").kinematics()
    assert run.summary["status"] == "stopped"


def test_where_no_digits_are_left_it_is_refused():
    with pytest.raises(mubo.ModelError, match=r"times its size away from the origin: of 16 digits too few are left"):
        moved(1e13)


def test_a_check_refuses_it_too():
    model = moved_model(1e13)
    report = model.check()
    assert not report.ok
    assert "of 16 digits too few are left" in str(report)


@pytest.mark.parametrize("far", [1e20, 1e25, 1e30])
def test_estimates_far_away_leave_no_trace(far):
    """A ram drawn far away closes near the origin, step by step: with the tolerance of its size, and it comes back."""
    model = mubo.load(EXAMPLES / "toggle_press.toml").replace("ram.position", (0.0, far))
    run = model.kinematics(0, 1, 0.5)
    assert run.summary["tolerance"] == pytest.approx(1e-11)  # 1e-10 of the decade of 0.4 m
    assert run.summary["there_and_back"] < 1e-12


FAR = 2.0**20  # with points of the frame in multiples of 2⁻²⁶, moving it is exact
PINNED = (
    "four_bar",
    "five_bar",
    "jansen_leg",
    "klann_leg",
    "stephenson_six_bar",
    "watt_six_bar",
    "walking_leg",
    "wiper",
)


def with_frame_moved(name: str, by: float) -> mubo.Model:
    """An example with points of its frame in binary fractions, all of it moved by (by, −by)."""
    model = mubo.load(EXAMPLES / f"{name}.toml").build()
    bodies = dict(model.bodies)
    for key, body in bodies.items():
        if key == "ground":
            bodies[key] = replace(body, points={at: shifted(place, by) for at, place in body.points.items()})
        else:
            bodies[key] = replace(body, position=shifted(body.position, by))
    points = {
        key: replace(point, at=shifted(point.at, by)) if point.body == "ground" else point
        for key, point in model.points.items()
    }
    return mubo.Model.from_definition(model.changed(bodies=bodies, points=points))


def shifted(place: tuple[float, ...], by: float) -> tuple[float, float]:
    x, y = (float(np.round(2**26 * number) / 2**26) for number in place)
    return x + by, y - by


@pytest.mark.parametrize("example", PINNED)
def test_distance_costs_vector_loops_no_digits(example):
    """Loops add differences of points of the frame, not the points: angles, rates and accelerations of links are those
    at the origin; positions have the digits that a number of their size has."""
    near, away = (with_frame_moved(example, by).kinematics() for by in (0.0, FAR))
    assert near.summary["formulation"] == "loops"
    for column in near.columns.schema:
        if column.kind != "body":
            continue
        one, other = near.columns.raw(column.name), away.columns.raw(column.name)
        if column.order == 0 and column.quantity in ("x", "y"):
            other = other + (-FAR if column.quantity == "x" else FAR)
            assert np.max(np.abs(other - one)) <= 2 * np.spacing(FAR)
        else:
            size = max(
                np.max(np.abs(near.columns.raw(c.name)))
                for c in near.columns.of_kind("body")
                if c.order == column.order
            )
            assert np.max(np.abs(other - one)) <= 1e-12 * size
