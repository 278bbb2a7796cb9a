"""The core assembles as least squares do: the same position, and another branch where there is one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo._core import Status
from mubo.mechanism import absolute, mechanism_of
from mubo.solvers.assembly import assemble as assembling
from mubo.solvers.assembly.assemble import assemble, find_other_branch

EXAMPLES = Path(mubo.__file__).parent / "examples"
NAMES = ("four_bar", "slider_crank", "jansen_leg", "klann_leg", "watt_six_bar", "whitworth", "rssr", "hooke_joint")


def form_of(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    form = absolute(mechanism_of(model.build()))
    return form, form.motion(np.array([model.build().start_time]))[0], 1e-10 * form.scale


@pytest.mark.parametrize("name", NAMES)
def test_it_closes_where_least_squares_close(name, monkeypatch):
    form, motion, tolerance = form_of(name)
    by_core = assemble(form, motion, tolerance, 20)
    monkeypatch.setattr(assembling, "_solved_by_core", lambda form: False)
    by_least_squares = assemble(form, motion, tolerance, 20)
    assert by_core.gap <= tolerance
    assert by_core.corrections == by_least_squares.corrections
    assert np.max(np.abs(form.weight * (by_core.q - by_least_squares.q))) < 1e-9  # both within the tolerance of 1e-10


def test_the_other_branch_of_a_four_bar_is_its_mirror_image():
    """The coupler pin of a four-bar lies on either side of the diagonal from B to D, at equal distances of it."""
    form, motion, tolerance = form_of("four_bar")
    first = assemble(form, motion, tolerance, 20)
    other = find_other_branch(form, motion, tolerance, first.q, form.estimate)
    assert other is not None
    assert np.max(np.abs(form.system.phi(other.q, motion))) <= tolerance
    model = form.model
    far = np.array(model.bodies["ground"].points["D"])

    def place(q, body, point):
        x, y, angle = q.reshape(-1, 3)[form.free.index(body)]
        a, b = model.bodies[body].points[point]
        return np.array([x + np.cos(angle) * a - np.sin(angle) * b, y + np.sin(angle) * a + np.cos(angle) * b])

    pin, sides = place(first.q, "crank", "B"), []
    for q in (first.q, other.q):
        across, arm = far - pin, place(q, "coupler", "C") - pin
        sides.append(across[0] * arm[1] - across[1] * arm[0])
    assert abs(sides[0] + sides[1]) < 1e-8 * abs(sides[0])


def test_what_has_no_full_rank_is_left_to_least_squares():
    """A linkage whose links are all parallel is at a toggle: J is singular there."""
    form, motion, tolerance = form_of("four_bar")
    n = len(form.weight)
    status, *_ = form.system.assemble(np.zeros(n), motion, np.ones(n), np.ones(n), tolerance, form.scale, 20, 1.0, None)
    assert status == Status.singular
