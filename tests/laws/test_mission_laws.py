"""A mission of every example whose strength is judged: one run of one kind is that run, and kinds that are the same add
up to as many runs of one."""

import re

import pytest
from conftest import EXAMPLES

import mubo

JUDGED = [
    path
    for path in sorted(EXAMPLES.glob("*.toml"))
    if re.search(r"^\[(pin|section|strut)\.", path.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("path", JUDGED, ids=lambda path: path.stem)
def test_one_run_is_the_run_and_the_same_kinds_add_up(path):
    model = mubo.load(path)
    alone = model.strength()
    one, three, split = (model.strength(mission={"runs": runs}) for runs in ([1], [3], [2, 1]))
    assert len(one.checks) == len(three.checks) == len(split.checks) == len(alone.checks)
    for own, a, b, c in zip(alone.checks, one.checks, three.checks, split.checks, strict=True):
        assert (own.table, own.name, own.ok) == (a.table, a.name, a.ok)
        assert a.value == pytest.approx(own.value, rel=1e-6), own.what
        assert a.safety == (None if own.safety is None else pytest.approx(own.safety, rel=1e-6))
        times = {"life in missions": 1 / 3, "in missions": 1 / 3, "of a mission": 3}
        factor = next((x for words, x in times.items() if words in a.what), 1)
        assert b.value == pytest.approx(factor * a.value, rel=1e-6), a.what
        assert c.value == pytest.approx(b.value, rel=1e-6), a.what
