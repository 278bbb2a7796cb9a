"""Rows between rows: solved, they are those of a run that has its rows there."""

import numpy as np
import pytest
from conftest import MOVED_EXAMPLES

import mubo
from mubo.quantities.output_times import OutputTimes
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.dense_output import DenseOutput
from mubo.solvers.kinematics.formulations import kinematic_problem
from mubo.solvers.kinematics.time_grid_refinement import check_reversibility


def travelled(model, start, end, step, formulation):
    grid = OutputTimes(start, end, step).grid()
    way = kinematic_problem(model.build(), grid, Settings(formulation=formulation))
    trip = check_reversibility(way, grid)
    return way, grid, trip


@pytest.mark.parametrize("formulation", ["auto", "absolute"])
@pytest.mark.parametrize("path", MOVED_EXAMPLES, ids=lambda path: path.stem)
def test_rows_between_are_those_of_a_finer_run(path, formulation):
    model = mubo.load(path)
    a = model.build().output_times()
    step = (a.end - a.start) / 24
    way, grid, trip = travelled(model, a.start, a.end, step, formulation)
    between = DenseOutput(way, grid, trip.there)
    fine = model.kinematics(a.start, a.end, step / 5, formulation=formulation)
    columns = way.columns(between.among(way.rows(grid, trip), fine["t"][np.arange(len(fine)) % 5 > 0]))
    assert np.allclose(columns["t"], fine["t"])
    for column in columns:
        scale = 1 + np.max(np.abs(fine[column]))
        assert np.allclose(columns[column], fine[column], atol=1e-7 * scale, rtol=0), column


def parallelogram():
    m = mubo.Model("parallelogram")
    m.ground.point("A", (0, 0))
    m.ground.point("D", (3, 0))
    m.body("crank", (0, 0), 0.5, {"A": (0, 0), "B": (1, 0)})
    m.body("coupler", (np.cos(0.5), np.sin(0.5)), 0, {"B": (0, 0), "C": (3, 0)})
    m.body("rocker", (3, 0), 0.5, {"D": (0, 0), "C": (1, 0)})
    m.revolute("A", "ground.A", "crank.A")
    m.revolute("B", "crank.B", "coupler.B")
    m.revolute("C", "coupler.C", "rocker.C")
    m.revolute("D", "ground.D", "rocker.D")
    m.driver("motor", "crank.phi", "0.5 + t")
    return m


@pytest.mark.parametrize("formulation", ["loops", "absolute"])
def test_times_beside_a_change_point_are_reached_from_their_own_side(formulation):
    """A parallelogram stays one: the rocker turns with the crank, also on both sides of the line position at φ = π."""
    way, grid, trip = travelled(parallelogram(), 0, 5, 0.5, formulation)
    assert trip.there.crossings
    times = np.linspace(2, 3.5, 61)
    rows = DenseOutput(way, grid, trip.there).rows(times)
    assert len(rows.t) > 55
    assert np.allclose(way.columns(rows)["rocker.phi"], 0.5 + rows.t, atol=1e-8)


def test_behind_the_last_row_the_way_goes_on_to_its_stop():
    """Crank 2 on ground 2.5, coupler 2, rocker 1: it locks where the crank's end is 3 from the rocker's pin."""
    m = mubo.Model("double rocker")
    m.ground.point("A", (0, 0))
    m.ground.point("D", (2.5, 0))
    m.body("crank", (0, 0), 0.5, {"A": (0, 0), "B": (2, 0)})
    m.body("coupler", (1.7, 1), -0.3, {"B": (0, 0), "C": (2, 0)})
    m.body("rocker", (2.5, 0), 0.4, {"D": (0, 0), "C": (1, 0)})
    for name, one, two in (
        ("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker"), ("D", "ground", "rocker")
    ):  # fmt: skip
        m.revolute(name, f"{one}.{name}", f"{two}.{name}")
    m.driver("motor", "crank.phi", "0.5 + t")
    lock = np.arccos((4 + 6.25 - 9) / 10) - 0.5
    way, grid, trip = travelled(m, 0, 2, 0.25, "auto")
    between = DenseOutput(way, grid, trip.there)
    assert between.last == pytest.approx(lock, abs=1e-6)
    times = lock - np.array([0.1, 0.01, 1e-3, 1e-4])
    rows = between.rows(np.append(times, lock + 0.1))
    assert np.allclose(rows.t, times)
    columns = way.columns(rows)
    gap = np.hypot(2 * np.cos(0.5 + times) - 2.5, 2 * np.sin(0.5 + times))
    inside = np.arccos((4 + 1 - gap**2) / 4)  # between coupler and rocker, which the lock stretches to π
    turned = np.abs((columns["coupler.phi"] - columns["rocker.phi"] + np.pi) % (2 * np.pi) - np.pi)
    assert np.allclose(turned, inside, atol=1e-6)


@pytest.mark.parametrize("path", MOVED_EXAMPLES, ids=lambda path: path.stem)
def test_a_run_knows_its_columns_between_rows(path):
    """Full turns of joints included; Euler angles that do not go on from the rows are not told."""
    model = mubo.load(path)
    a = model.build().output_times()
    run, fine = (model.kinematics(a.start, a.end, (a.end - a.start) / n) for n in (60, 180))
    found = run.record.between(fine["t"][np.arange(len(fine)) % 3 == 1])
    assert len(found["t"]) == 60
    signed = [c.name for c in found.schema if c.holds == "number"]  # of quaternions p and −p are the same turn
    for name in found:
        one, other = found[name], fine[name][1::3]
        one, other = (np.abs(one), np.abs(other)) if name in signed else (one, other)
        assert np.allclose(one, other, atol=1e-7 * (1 + np.max(np.abs(other))), rtol=0), name
