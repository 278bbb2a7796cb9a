"""Statuses and tolerances of the core are bound once: every one has its words, and Python types none of them again."""

import ast

import numpy as np
import pytest
from source_files import FILES, broken_rules, nodes_of

from mubo import _core
from mubo._core import Status
from mubo.errors import STATUS_TEXTS, status_text

NO_FAILURE = {"done", "running"}
TOLERANCES = ("lost_pivot", "nearly_singular")


def test_every_failure_has_words():
    assert {status.name for status in Status} == STATUS_TEXTS.keys() | NO_FAILURE
    assert status_text(Status.singular) == STATUS_TEXTS["singular"]


def typed_again(nodes):
    """Names of statuses or tolerances that a number is assigned to, and statuses compared with a number."""
    forbidden = {status.name.upper() for status in Status} | {name.upper() for name in TOLERANCES}
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = {n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
            values = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
            whole = all(isinstance(value, int) for value in values) and values
            yield from (n for n in names if n in forbidden and (whole or n.lower() in TOLERANCES))
        if isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
            asked = getattr(node.left, "attr", getattr(node.left, "id", ""))
            # solve_ivp of SciPy has a status of its own, which is called piece.status
            if asked == "status" and ast.unparse(node.left) != "piece.status":
                yield from [ast.unparse(node.left)] if isinstance(node.comparators[0].value, int) else []


def test_no_status_is_typed_again():
    assert not broken_rules(FILES, lambda path: typed_again(nodes_of(path)))


@pytest.mark.parametrize("text", ["DONE, SINGULAR = 0, 2", "LOST_PIVOT = 1e-13", "ok = path.status == 0"])
def test_a_status_typed_again_is_seen(text):
    assert list(typed_again(ast.walk(ast.parse(text))))


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_a_gap_is_accepted_outside_the_reach_of_one_more_correction(scale):
    for gap in (_core.rounding, 10 * _core.nearly):
        assert _core.accepts(gap * scale, scale, scale)
    assert not _core.accepts(2 * _core.rounding * scale, scale, scale)
    assert not _core.accepts(10 * _core.nearly * scale, 5 * _core.nearly * scale, scale)


@pytest.mark.parametrize(
    ("corrected", "turned", "radius", "expected"),
    [
        (0.009, 0.1, 1.0, False),  # a tenth of the motion allowed
        (0.011, 0.1, 1.0, True),
        (0.009, 0.1, 0.5, True),  # near a singular position less
        (1e-9, 0.0, 1.0, False),  # rounding is no branch
        (0.0, 1.01, 1.0, True),  # more than a radian in one step
    ],
)
def test_left_branch(corrected, turned, radius, expected):
    """A second body that stays in place must not hide the first: each is judged by its own motion."""
    last, after = np.zeros((3, 6)), np.zeros((3, 6))
    last[1, 2], after[0, 2], after[1, 2] = turned, turned + corrected, turned
    guess = np.array([0, 0, turned, 0, 0, 0.0])
    found = _core.left_branch(3, 1, 1.0, last, after, guess, np.ones(6), radius, 0.1, 0.0, 1.0)
    assert found is expected


@pytest.mark.parametrize(("rate", "expected"), [(0.1, False), (0.108, False), (0.12, True), (-0.1, True)])
def test_a_step_must_lead_back(rate, expected):
    """Predicted exactly, but with rates at its end that would not have come from its begin."""
    last, after = np.zeros((3, 3)), np.zeros((3, 3))
    last[1, 2] = after[0, 2] = 0.1
    after[1, 2] = rate
    found = _core.left_branch(3, 1, 1.0, last, after, np.array([0, 0, 0.1]), np.ones(3), 1.0, 0.1, 0.0, 1.0)
    assert found is expected
