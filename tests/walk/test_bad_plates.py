"""Plates that disagree with the motion, each named with its number: mutated copies of the synthetic walks.

The forces of both walkers are what Newton's and Euler's laws need, so that a force that was multiplied by 1/k needs k
times its measure, one that was moved by τ fits τ earlier, and centres of pressure moved by d fit d farther back.
"""

import re

import numpy as np
import pytest
import synthetic_walker as plane
import synthetic_walker_space as space
from conftest import EXAMPLES

import mubo
from mubo.applications.gait.agreement import foot_factors, pressure_offsets, time_offset

T = np.arange(90) / 50.0
FRAMES = 90
WHERE = ("plane", "space")
COLUMNS = {  # of the right foot: forces, centre of pressure
    "plane": ("ground_force_v{}", "ground_force_p{}"),
    "space": ("f1_{}", "p1_{}"),
}
BOTH = {"plane": ("ground_force_p{}", "1_ground_force_p{}"), "space": ("p1_{}", "p2_{}")}
TEXTS = {"plane": plane.force_text(frames=FRAMES), "space": space.force_text(T)}
MARKERS = plane.marker_text(frames=FRAMES)


def changed(text, change):
    """A .mot file after `change(columns)`, the arrays of all columns by name."""
    lines = text.splitlines()
    names = lines[6].split("\t")
    columns = dict(zip(names, np.array([line.split("\t") for line in lines[7:]], float).T, strict=True))
    change(columns)
    rows = ("\t".join(f"{x:.9g}" for x in row) for row in np.column_stack(list(columns.values())))
    return "\n".join([*lines[:7], *rows]) + "\n"


def gait(folder, where, change=lambda columns: None):
    forces = changed(TEXTS[where], change)
    if where == "space":
        return mubo.load(space.write(folder, T, forces=forces)).gait()
    (folder / "walker.trc").write_text(MARKERS)
    (folder / "walker_forces.mot").write_text(forces)
    (folder / "walker.toml").write_text((EXAMPLES / "walker.toml").read_text())
    return mubo.load(folder / "walker.toml").gait()


def named(found, pattern):
    return any(re.search(pattern, note) for note in found.notes)


@pytest.mark.parametrize("where", WHERE)
def test_the_walk_as_it_is(tmp_path, where):
    found = gait(tmp_path, where)
    assert not named(found, "motion")
    for factors in foot_factors(found.residual).values():
        assert factors[1] == pytest.approx(1, abs=2e-3)
    assert pressure_offsets(found.residual) == pytest.approx(np.zeros(1 if where == "plane" else 2), abs=1e-3)
    assert time_offset(found.residual, found.run["t"], 1.0) == 0


@pytest.mark.parametrize("where", WHERE)
def test_one_plate_with_another_calibration(tmp_path, where):
    force, _ = COLUMNS[where]

    def half(columns):
        for axis in "xyz":
            columns[force.format(axis)] *= 0.5

    found = gait(tmp_path, where, half)
    factors = foot_factors(found.residual)
    assert factors["foot_r"][1] == pytest.approx(2, rel=1e-2)
    assert factors["foot_l"][1] == pytest.approx(1, rel=1e-2)
    assert named(found, r"needs (2|1\.99|2\.0\d*) times the upward force on foot_r")
    assert not named(found, "kg would agree")


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("axis", ["x", "z"])
def test_one_force_with_the_other_sense(tmp_path, where, axis):
    """What is across the plane of walking has no part in it."""
    force, _ = COLUMNS[where]

    def reverse(columns):
        columns[force.format(axis)] *= -1

    found = gait(tmp_path, where, reverse)
    assert named(found, r"times the (forward|sideways) force on foot_r: its sense is reversed") == (
        (where, axis) != ("plane", "z")
    )
    if (where, axis) != ("plane", "z"):
        assert foot_factors(found.residual)["foot_r"]["xyz".index(axis)] == pytest.approx(-1, rel=3e-2)


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("late", [0.1, -0.06])
def test_clocks_that_differ(tmp_path, where, late):
    def shift(columns):
        time = columns["time"]
        for name in columns:
            if name != "time":
                columns[name] = np.interp(time - late, time, columns[name])

    found = gait(tmp_path, where, shift)
    assert time_offset(found.residual, found.run["t"], 1.0) == pytest.approx(late, abs=0.01)
    assert named(found, rf"fit the motion {abs(late):.2g} s {'earlier' if late > 0 else 'later'} than they are")


@pytest.mark.parametrize(("where", "axis", "word"), [("plane", "x", "backwards"), ("space", "z", "left")])
def test_centres_of_pressure_from_another_origin(tmp_path, where, axis, word):
    def move(columns):
        for name in BOTH[where]:
            columns[name.format(axis)] += 0.05

    found = gait(tmp_path, where, move)
    assert pressure_offsets(found.residual)["xz".index(axis)] == pytest.approx(-0.05, rel=2e-2)
    assert named(found, rf"all centres of pressure (50|49|51) mm farther {word}")
