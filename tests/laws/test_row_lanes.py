"""Rows of one motion in the lanes of vector registers: the same bits whatever the lanes, and the motion that is found
from row to row.

Rows in lanes start from a prediction over eight rows, single ones from the row before: what Newton's method reaches
differs by rounding alone.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo import _core
from mubo._core import Status
from mubo.errors import MuboError
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.solvers.continuation.continuation import CORRECTION_RATIO
from mubo.solvers.continuation.steppers import LoopStepper, Settings
from mubo.solvers.kinematics.formulations import choose_formulation

FILES = sorted([*EXAMPLES.glob("*.toml"), *EXAMPLES.glob("*.dat")])
WIDTHS = _core.lane_widths()
TOLERANCE = 1e-10
ROWS, PARTS = 203, 4  # blocks of eight, and rows that are left over; a row may be divided
ROUNDING = 1e-12  # of the largest unknown or 1, rate or acceleration: 4,500 units in the last place


def problem(path):
    """The loops of an example over its own time, with the laws at all parts of the rows, and its state at the start."""
    model = mubo.load(path)
    times = np.linspace(*model.kinematics()["t"][[0, -1]], (ROWS - 1) * PARTS + 1)
    analysis = analyse_start(model.build(), times[0], TOLERANCE)
    motion, scale = analysis.form.motion(times), analysis.form.scale
    settings = Settings(TOLERANCE * scale, scale=scale, formulation="loops")
    stepper = choose_formulation(analysis, settings)[1]
    if not isinstance(stepper, LoopStepper) or stepper.start(analysis.assembly.q, motion[0])[0] != Status.done:
        raise mubo.ModelError("the example is not solved in loops")
    state = stepper.start(analysis.assembly.q, motion[0])[1]
    return SimpleNamespace(loops=stepper._loops, settings=settings, times=times, motion=motion, state=state)


def sweep(given, first, last, state, lanes=0):
    """Rows `first` to `last` from the state at the first one: status, rows done, largest pivots, states, iterations."""
    o, system = given.settings, given.loops.system
    part = slice(first * PARTS, last * PARTS + 1)
    *_, signs, largest, _ = system.solve(state[0], given.motion[part.start], o.tolerance, o.max_iterations, o.scale)
    method = o.tolerance, o.max_iterations, True, CORRECTION_RATIO, o.scale, PARTS, 0.0
    rows = given.times[part], given.motion[part]
    return system.sweep(*rows, state, signs, largest, given.loops.weight, *method, lanes=lanes)


@pytest.fixture(scope="module")
def problems():
    found = {}
    for path in FILES:
        try:
            found[path.stem] = problem(path)
        except MuboError:  # in space, without drivers, or with equations that are no loops
            continue
    return found


@pytest.mark.filterwarnings("ignore")
def test_every_example_has_the_same_bits_with_any_number_of_lanes(problems):
    for name, given in problems.items():
        (status, reached, largest, states, counts), *others = (
            sweep(given, 0, ROWS - 1, given.state, lanes) for lanes in WIDTHS
        )
        known = slice(0, reached + 1)
        for other in others:
            assert other[:2] == (status, reached), name
            assert other[2].tobytes() == largest.tobytes(), name
            assert other[3][known].tobytes() == states[known].tobytes(), name
            assert other[4].tobytes() == counts.tobytes(), name
        laws = np.ascontiguousarray(given.motion[::PARTS][known])
        bodies = [given.loops.system.bodies(states[known], laws, lanes) for lanes in WIDTHS]
        assert len({one.tobytes() for one in bodies}) == 1, name


@pytest.mark.filterwarnings("ignore")
def test_every_example_moves_as_from_row_to_row(problems):
    """Fewer than two blocks of rows are solved one after the other; both also stop at the same row alike."""
    whole = 0
    for name, given in problems.items():
        status, reached, _, states, _ = sweep(given, 0, ROWS - 1, given.state)
        state = given.state
        for row in range(reached):
            one_status, done, _, one, _ = sweep(given, row, row + 1, state)
            assert (one_status, done) == (Status.done, 1), (name, row)
            state = one[1]
            for order in range(3):
                error = np.max(np.abs(states[row + 1, order] - state[order]))
                assert error <= ROUNDING * (1 + np.max(np.abs(state[order]))), (name, row, order)
        if reached + 1 < ROWS:
            assert sweep(given, reached, reached + 1, state)[0] == status, name
        whole += reached + 1 == ROWS
    assert whole >= 35
    assert len(problems) >= 45
